import { Autocomplete, Group, SegmentedControl, Stack, Switch, Text, Textarea } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import type { GroupDraft } from '../../model/segment-draft';
import { writeFinished, writeSegment, type WrittenSegment } from '../../model/write-segment';
import { AudienceSize, type AskedGroup, useGroupExplanation } from '../segments/audience-size';
import { SegmentBuilder } from '../segments/builder/segment-builder';
import { useCompose } from './compose-context';
import { useRead } from '../../api/reading';
import { useCan } from '../../api/session';
import { formatCompact, formatNoun } from '../../components/format';
import { SectionCard } from '../../components/section-card';
import { type AudienceKind, readTypedUsers } from '../../model/message-draft';
import { FileAudience } from './file-audience';
import { SavedAudience } from './saved-audience';

const KINDS: { value: AudienceKind; label: string }[] = [
  { value: 'segment', label: 'Rules' },
  { value: 'saved', label: 'Saved segment' },
  { value: 'users', label: 'Users' },
  { value: 'file', label: 'File of ids' },
  { value: 'everyone', label: 'Everyone' },
];

/** Whom the message goes to. */
export function AudienceSection(): ReactNode {
  const { draft, patch } = useCompose();
  const isNarrow = useMediaQuery('(max-width: 61.99em)');
  const { kind } = draft.audience;
  return (
    <SectionCard title="Recipients">
      <Stack gap="lg">
        <SegmentedControl
          fullWidth
          aria-label="How to choose recipients"
          orientation={isNarrow ? 'vertical' : 'horizontal'}
          data={KINDS}
          value={kind}
          onChange={(value) => patch({ audience: { ...draft.audience, kind: value } })}
        />
        {kind === 'segment' && <RulesAudience />}
        {kind === 'saved' && <SavedAudience />}
        {kind === 'users' && <UsersAudience />}
        {kind === 'file' && <FileAudience />}
        {kind === 'everyone' && (
          <Text size="sm">All members of the channel. Without a channel: all devices of this application.</Text>
        )}
        <ChannelPicker />
      </Stack>
    </SectionCard>
  );
}

/** Recipients by rules, counted while they are written. */
function RulesAudience(): ReactNode {
  const { draft, patch, marksAll, problemAt } = useCompose();
  const { audience, channel } = draft;
  const { segment } = audience;
  const [explains, setExplains] = useState(false);
  const written = useMemo(() => writeSegment(segment), [segment]);
  const finished = useMemo(() => writeFinished(segment, written), [segment, written]);
  const group = useMemo(() => groupOf(written, channel), [written, channel]);
  const counted = useMemo(() => groupOf(finished, channel), [finished, channel]);
  const explained = useGroupExplanation(group, { isOn: explains });
  const change = useCallback(
    (next: GroupDraft) => patch({ audience: { ...audience, segment: next } }),
    [patch, audience],
  );
  const problem = problemAt('audience');
  return (
    <Stack gap="md">
      <SegmentBuilder
        segment={segment}
        written={written}
        marksAll={marksAll}
        effects={explains ? explained.data?.rules : undefined}
        onChange={change}
      />
      {problem !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
      <AudienceSize group={counted} leftOut={finished.leftOut} waiting="Add a rule to see the number of devices." />
      {group !== null && (
        <Switch
          size="sm"
          label="Show what each rule does"
          checked={explains}
          onChange={({ currentTarget }) => setExplains(currentTarget.checked)}
        />
      )}
    </Stack>
  );
}

function groupOf({ segment }: Pick<WrittenSegment, 'segment'>, channel: string): AskedGroup | null {
  return segment === null ? null : { segment, ...(channel === '' ? {} : { channel }) };
}

/** The channel that the message goes out on: only its members get it. */
function ChannelPicker(): ReactNode {
  const { draft, patch, problemAt } = useCompose();
  const mayRead = useCan('read');
  const found = useRead('/api/channels', { params: { query: { limit: 200 } }, enabled: mayRead });
  const joined = (found.data?.channels ?? []).filter(({ isEverybody }) => !isEverybody);
  const sizes = new Map<string, number>(joined.map(({ channel, size }) => [channel, size]));
  return (
    <Autocomplete
      label="Channel"
      description="Leave it empty to reach everyone. With a channel, only its members get the message."
      placeholder="Everybody"
      data={joined.map(({ channel }) => channel)}
      limit={50}
      value={draft.channel}
      error={problemAt('channel')}
      renderOption={({ option }) => (
        <Group justify="space-between" wrap="nowrap" w="100%">
          <span>{option.value}</span>
          <Text size="xs" c="dimmed">
            {formatCompact(sizes.get(option.value) ?? 0)} devices
          </Text>
        </Group>
      )}
      onChange={(channel) => patch({ channel })}
    />
  );
}

/** Recipients by their ids, typed or pasted. */
export function UsersAudience(): ReactNode {
  const { draft, patch, problemAt } = useCompose();
  const users = readTypedUsers(draft.audience.users);
  return (
    <Textarea
      label="User ids"
      description={
        users.length === 0
          ? 'One per line, or separated by commas. Each user gets the message on all their devices.'
          : `${formatNoun(users.length, 'user')}, each on all devices. Repeated ids count once.`
      }
      autosize
      minRows={3}
      maxRows={12}
      spellCheck={false}
      value={draft.audience.users}
      error={problemAt('audience')}
      onChange={({ currentTarget }) => patch({ audience: { ...draft.audience, users: currentTarget.value } })}
    />
  );
}
