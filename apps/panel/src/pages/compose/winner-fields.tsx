import { Group, NativeSelect, Radio, Select, Stack, Text, TextInput } from '@mantine/core';
import type { WinnerMetric } from '@postrider/domain';
import type { ReactNode } from 'react';
import { hasTest, type MessageDraft, TTL_SECONDS, type TtlUnit, type WinnerKind } from '../../model/message-draft';
import classes from './compose.module.css';
import { useCompose } from './compose-context';

const KINDS: { value: WinnerKind; label: string; description: string }[] = [
  {
    value: 'none',
    label: 'Nobody waits',
    description: 'Every user gets a variant at once. You compare the figures yourself.',
  },
  {
    value: 'hand',
    label: 'By hand',
    description: 'A part of the users gets variants. You choose on the campaign’s page which one the others get.',
  },
  {
    value: 'figures',
    label: 'Automatically',
    description: 'A part of the users gets variants. The others get the one with the best figures.',
  },
];
const METRICS: { value: WinnerMetric; label: string }[] = [
  { value: 'opened', label: 'Users who opened it' },
  { value: 'clicked', label: 'Users who clicked' },
];
const UNITS = Object.keys(TTL_SECONDS) as TtlUnit[];

/** Asks if a part of the users waits for the best variant, how large it is, and who chooses. */
export function WinnerFields(): ReactNode {
  const { draft, patch, problemAt } = useCompose();
  const { winner } = draft;
  const change = (changes: Partial<MessageDraft['winner']>): void => patch({ winner: { ...winner, ...changes } });
  return (
    <Stack gap="sm">
      <Radio.Group
        label="How the winner is chosen"
        value={winner.kind}
        error={problemAt('winner.kind')}
        onChange={(kind) => change({ kind })}
      >
        <Stack gap="xs" mt={6} mb={4}>
          {KINDS.map((kind) => (
            <Radio key={kind.value} {...kind} />
          ))}
        </Stack>
      </Radio.Group>
      {winner.kind !== 'none' && (
        <div className={classes.inset}>
          <TextInput
            label="Users who get variants first, in percent"
            description={`The other ${restOf(winner.share)} wait for the winner.`}
            inputMode="numeric"
            className={classes.narrow}
            value={winner.share}
            error={problemAt('winner.share')}
            onChange={({ currentTarget }) => change({ share: currentTarget.value })}
          />
          <Deadline change={change} />
          <Select
            label={winner.kind === 'hand' ? 'Rate that decides if nobody has chosen' : 'Rate that decides'}
            data={METRICS}
            className={classes.narrow}
            value={winner.metric}
            allowDeselect={false}
            onChange={(metric) => change({ metric: metric ?? 'opened' })}
          />
          {countsNoClicks(draft) && (
            <Text size="sm" role="status">
              No click can be counted yet: count clicks on web links, or add buttons.
            </Text>
          )}
        </div>
      )}
    </Stack>
  );
}

function Deadline({ change }: { change: (changes: Partial<MessageDraft['winner']>) => void }): ReactNode {
  const { draft, problemAt } = useCompose();
  const { kind, after } = draft.winner;
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap" className={classes.narrow}>
      <TextInput
        label={kind === 'hand' ? 'Chosen automatically, if nobody has chosen, after' : 'Chosen after'}
        description="Counted from when the campaign is sent."
        inputMode="decimal"
        className={classes.grow}
        value={after.amount}
        error={problemAt('winner.after')}
        onChange={({ currentTarget }) => change({ after: { ...after, amount: currentTarget.value } })}
      />
      <NativeSelect
        aria-label="Unit of time until the winner is chosen"
        miw="6.5rem"
        flex="none"
        data={UNITS}
        value={after.unit}
        onChange={({ currentTarget }) => change({ after: { ...after, unit: currentTarget.value as TtlUnit } })}
      />
    </Group>
  );
}

function restOf(share: string): string {
  const percent = Number(share);
  return percent > 0 && percent < 100 ? `${100 - percent} %` : 'users';
}

/** True if clicks decide, although no part of the message reports clicks. */
function countsNoClicks(draft: MessageDraft): boolean {
  const hasButtons = [draft, ...draft.variants].some(({ actions }) => actions.length > 0);
  return hasTest(draft) && draft.winner.metric === 'clicked' && !draft.trackLinks && !hasButtons;
}
