import { Button, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { ApiError } from '../../api/api-error';
import { keyOf, useApi, useAppId } from '../../api/client';
import type {
  CampaignTestResponse,
  HoldoutResponse,
  MessageResponse,
  TestFiguresResponse,
  VariantFiguresResponse,
  WinnerResponse,
} from '@postrider/server/document';
import { useCan } from '../../api/session';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { formatDuration } from '../../components/format';
import { Moment } from '../../components/moment';
import { SectionCard } from '../../components/section-card';
import { Typed } from '../../components/typed';
import classes from './test-card.module.css';
import { HoldoutTable, VariantsTable } from './test-figures';
import { isUnderWay } from './totals';
import { CHANGE_NOTHING } from './words';

/** Beside each other, 1,392 devices and 118 users of one row look like a mistake. */
const WINNER_LATER =
  ' The winner’s devices include those that got it later, after it was chosen. Its users and its rate are of the test alone; users who got it later are in the row All only.';

/**
 * How the variants of a campaign compare, with each other and with the users who were held out; and the choice among
 * them.
 */
export function TestCard(props: {
  kind: 'messages' | 'campaigns';
  message: MessageResponse;
  test: CampaignTestResponse;
}): ReactNode {
  const { kind, message, test } = props;
  const { variants, holdout, winner, verdict } = test;
  // Without a winner the verdict is about users who opened it.
  const metric = winner?.metric ?? 'opened';
  return (
    <SectionCard title="Test">
      <Stack gap="lg">
        {variants.length > 0 && (
          <Stack gap="xs">
            <Text size="sm" c="dimmed">
              Sent, delivered, opened and clicked count devices. The rate is the share of users who {metric} the
              message, of all users of the row. In brackets: where the true share lies in 95 of 100 cases.
              {winner !== null && WINNER_LATER}
            </Text>
            <VariantsTable test={test} metric={metric} />
            {verdict !== null && (
              <Text size="sm" component="div">
                <Typed text={verdict} />
              </Text>
            )}
          </Stack>
        )}
        {winner !== null && <Winner kind={kind} message={message} winner={winner} variants={variants} />}
        {holdout !== null && <Holdout holdout={holdout} all={test.all} />}
      </Stack>
    </SectionCard>
  );
}

/** The variant that the others get, or when it is chosen; until then a person who may send can choose it. */
function Winner(props: {
  kind: 'messages' | 'campaigns';
  message: MessageResponse;
  winner: WinnerResponse;
  variants: readonly VariantFiguresResponse[];
}): ReactNode {
  const { kind, message, winner, variants } = props;
  const maySend = useCan('send');
  const [asked, setAsked] = useState<string | null>(null);
  const choose = useChoice(kind, message.id);
  const isOpen = winner.variant === null && isUnderWay(message);
  return (
    <Part title="Winner">
      <Text size="sm" component="div">
        <WinnerWords message={message} winner={winner} />
      </Text>
      {isOpen && maySend && (
        <ul className={classes.choices} aria-label="Choose the winner now">
          {variants.map(({ name }) => (
            <li key={name}>
              <Button
                size="xs"
                variant="default"
                classNames={{ root: classes.choice, label: classes.choiceLabel }}
                onClick={() => setAsked(name)}
              >
                <span>
                  Send this one to the rest: <Typed text={name} />
                </span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {/* It stays if the page learns meanwhile that the winner was chosen: the person reads why it is too late. */}
      <ConfirmDialog
        isOpen={asked !== null}
        title="Send this variant to the rest?"
        confirmLabel="Send it to the rest"
        keepLabel={CHANGE_NOTHING}
        onConfirm={() => choose(asked ?? '')}
        onClose={() => setAsked(null)}
      >
        Everybody who waits for the winner gets “<Typed text={asked ?? ''} />
        ”. The other variants are sent to nobody else. This cannot be undone.
      </ConfirmDialog>
    </Part>
  );
}

/** Chooses a variant. If another person was first, or the campaign has ended, the page shows the result. */
function useChoice(kind: 'messages' | 'campaigns', id: string): (variant: string) => Promise<void> {
  const api = useApi();
  const appId = useAppId();
  const client = useQueryClient();
  const params = { path: { id } };
  const refresh = async (): Promise<void> => {
    await client.invalidateQueries({ queryKey: keyOf(appId, `/api/push/${kind}/{id}`, params) });
    await client.invalidateQueries({ queryKey: keyOf(appId, '/api/push/messages/{id}/deliveries', params) });
  };
  return async (variant) => {
    try {
      await api.POST('/api/push/campaigns/{id}/winner', { params, body: { variant } });
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) void refresh();
      throw error;
    }
    await refresh();
  };
}

function WinnerWords({ message, winner }: { message: MessageResponse; winner: WinnerResponse }): ReactNode {
  const { variant, dueAt, decidedAt, decidedBy, metric } = winner;
  if (variant !== null) {
    return (
      <>
        “<Typed text={variant} />” was chosen {decidedBy === 'caller' ? 'by a person' : 'by its figures'}
        {decidedAt !== null && (
          <>
            {' '}
            on <Moment at={decidedAt} isAbsolute />
          </>
        )}
        .
      </>
    );
  }
  if (!isUnderWay(message)) {
    return message.status === 'cancelled'
      ? 'None was chosen: the campaign was cancelled.'
      : 'No winner was chosen before the campaign ended.';
  }
  const after = message.content.winner?.after;
  return (
    <>
      The variant with the highest share of users who {metric} the message is chosen{' '}
      {dueAt !== null ? (
        <>
          on <Moment at={dueAt} isAbsolute />
        </>
      ) : (
        `${after === undefined ? 'some time' : formatDuration(after)} after the campaign has left`
      )}
      . The rest of the audience waits for it.
    </>
  );
}

/** Users who got nothing beside users who got the campaign. */
function Holdout({ holdout, all }: { holdout: HoldoutResponse; all: TestFiguresResponse }): ReactNode {
  const { percent, verdict } = holdout;
  return (
    <Part title="Held out">
      <Text size="sm">
        {percent} % of the users get nothing, to compare the others with. The share is of the users of the row.
      </Text>
      <HoldoutTable holdout={holdout} all={all} />
      <Text size="sm" component="div">
        <Typed text={verdict} />
      </Text>
    </Part>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }): ReactNode {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Title order={3} id={id} mb="xs">
        {title}
      </Title>
      <Stack gap="xs">{children}</Stack>
    </section>
  );
}
