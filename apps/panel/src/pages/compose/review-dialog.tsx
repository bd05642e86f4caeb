import { Alert, Button, Group, Modal, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { IconSend } from '../../components/icons';
import {
  formatCount,
  formatMoment,
  formatNoun,
  formatShare,
  formatSpan,
  formatWallTime,
} from '../../components/format';
import { TextWarnings } from '../../components/text-warnings';
import { Typed } from '../../components/typed';
import {
  hasTest,
  holdsOut,
  namesUsers,
  readTypedUsers,
  scheduleKindOf,
  type MessageDraft,
} from '../../model/message-draft';
import { partsOf } from '../../model/message-variants';
import { saySegment } from '../../model/say-segment';
import classes from './compose.module.css';
import { WaitingForVendors } from '../overview/waiting-for-vendors';
import { useCompose } from './compose-context';
import { PromoHint } from './promo-hint';
import { SavedSegmentName } from './saved-audience';
import { Failure, Moved, Vendors } from './summary-card';
import { Costs } from './review-costs';
import { ReviewRenderings } from './review-renderings';
import type { DryRun, Sending } from './use-sending';

/** Shows everything that is about to happen, and the one button that makes it happen. */
export function ReviewDialog(props: {
  isOpen: boolean;
  sending: Sending;
  isReady: boolean;
  onClose: () => void;
  onSendAsNew: () => void;
}): ReactNode {
  const { isOpen, sending, isReady, onClose, onSendAsNew } = props;
  const { draft } = useCompose();
  const { preview, isSending, movedFrom, error, failed } = sending;
  const back = useRef<HTMLButtonElement>(null);
  // If nothing was sent, a second Enter must not send either.
  useEffect(() => {
    if (!isSending && (movedFrom !== null || (error !== null && failed === 'send'))) back.current?.focus();
  }, [isSending, movedFrom, error, failed]);
  return (
    <Modal opened={isOpen} onClose={onClose} title="Review before sending" size="xl" closeOnClickOutside={false}>
      {isOpen && preview && (
        <Stack gap="lg">
          <Part title="Who gets it">
            <Audience draft={draft} preview={preview} />
            <Caps draft={draft} caps={preview.frequencyCaps} />
            <PromoHint devices={preview.count} />
          </Part>
          <Part title="What they see">
            <Stack gap="sm">
              <TextWarnings warnings={preview.warnings} />
              <ReviewRenderings preview={preview} />
            </Stack>
          </Part>
          {hasTest(draft) && (
            <Part title="How the winner is chosen">
              <Winning draft={draft} preview={preview} />
            </Part>
          )}
          <Part title="When it leaves">
            <Leaving draft={draft} preview={preview} />
          </Part>
          {draft.fallback.isOn && namesUsers(draft) && (
            <Part title="What it costs">
              <Costs />
            </Part>
          )}
          {/* Beside the buttons, which are always in sight: on a phone the end of the dialog is not. */}
          <Stack gap="sm" className={classes.reviewButtons}>
            <Moved sending={sending} />
            <Failure sending={sending} onSendAsNew={onSendAsNew} />
            <Group justify="flex-end" gap="sm">
              {/* A person who presses Enter without looking goes back. */}
              <Button ref={back} variant="default" onClick={onClose} data-autofocus>
                Back to the message
              </Button>
              <Button
                leftSection={<IconSend size={18} aria-hidden />}
                loading={sending.isSending}
                disabled={!isReady}
                onClick={sending.press}
              >
                {scheduleKindOf(draft) === 'now' ? 'Send' : 'Schedule'} to {formatCount(preview.count)}
              </Button>
            </Group>
          </Stack>
        </Stack>
      )}
    </Modal>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <section aria-label={title}>
      <Title order={3} size="h5" mb="xs">
        {title}
      </Title>
      {children}
    </section>
  );
}

function Audience({ draft, preview }: { draft: MessageDraft; preview: DryRun }): ReactNode {
  const { audience, channel } = draft;
  const { fileUsers } = useCompose();
  const named = {
    segment: () => <Typed text={saySegment(audience.segment)} lines={4} />,
    saved: () => <SavedSegmentName id={audience.segmentId} />,
    users: () => <NamedUsers users={readTypedUsers(audience.users)} />,
    file: () => (
      <>
        {formatNoun(fileUsers?.length ?? 0, 'user')} of <Typed text={audience.fileName} />
      </>
    ),
    everyone: () => 'Everyone',
  }[audience.kind];
  return (
    <Stack gap="xs">
      <Text size="sm" component="div">
        {named()}
        {channel !== '' && (
          <>
            {' '}
            on the channel <Typed text={channel} isMono />
          </>
        )}
      </Text>
      <Text component="div">
        <span className={classes.total}>{formatCount(preview.count)}</span>{' '}
        <Text span c="dimmed" size="sm">
          {preview.count === 1 ? 'device gets it' : 'devices get it'}. If that changes before you press the button,
          nothing is sent and you are asked again.
        </Text>
      </Text>
      {holdsOut(draft) && (
        <Text size="sm">
          {draft.holdout.trim()} % of the users are held out and get nothing. They are not counted here.
        </Text>
      )}
      <Vendors preview={preview} />
      <WaitingForVendors waiting={preview.waitingForVendors} />
    </Stack>
  );
}

const MOST_NAMED = 8;

function NamedUsers({ users }: { users: readonly string[] }): ReactNode {
  const more = users.length - MOST_NAMED;
  return (
    <>
      <Typed text={users.slice(0, MOST_NAMED).join(', ')} />
      {more > 0 && ` and ${formatNoun(more, 'more user')}`}
    </>
  );
}

/** Who waits for the best variant, and how it is chosen. */
function Winning({ draft, preview }: { draft: MessageDraft; preview: DryRun }): ReactNode {
  const { kind, metric, after } = draft.winner;
  if (kind === 'none') return <Text size="sm">Nobody waits: every user gets a variant.</Text>;
  const { waiting } = partsOf(draft, preview.count);
  const figures = `the variant with the highest share of users who ${metric} the message`;
  const time = formatNoun(Number(after.amount), after.unit.slice(0, -1));
  return (
    <Text size="sm">
      About {formatNoun(waiting.devices, 'device')} ({formatShare(waiting.share, 1)}){' '}
      {waiting.devices === 1 ? 'waits' : 'wait'}.{' '}
      {kind === 'hand'
        ? `You choose on the campaign’s page which variant they get. If you have not chosen after ${time}, they get ${figures}.`
        : `After ${time} they get ${figures}, unless someone chooses earlier on the campaign’s page.`}
    </Text>
  );
}

/** Who is left out of what was counted: that is known when it leaves. */
function Caps({ draft, caps }: { draft: MessageDraft; caps: DryRun['frequencyCaps'] }): ReactNode {
  if (draft.ignoreFrequencyCap && !namesUsers(draft)) {
    return (
      <Text size="sm" mt="xs">
        Frequency caps are ignored: users who have had enough campaigns get it too.
      </Text>
    );
  }
  if (caps.length === 0) return null;
  const allowed = caps.map(({ messages, seconds }) => `${formatNoun(messages, 'campaign')} in ${formatSpan(seconds)}`);
  return (
    <Alert color="sky" variant="light" my="xs" title="Frequency caps are in force">
      Users who have had {allowed.join(' or ')} are left out when it leaves. They are counted here.
    </Alert>
  );
}

/** When the message leaves, and how quiet hours change that. */
function Leaving({ draft, preview: { schedule, count } }: { draft: MessageDraft; preview: DryRun }): ReactNode {
  const [span] = schedule;
  const { waiting = 0, tooLate = 0 } = span ?? {};
  const isHeld = span !== undefined && scheduleKindOf(draft) === 'now' && waiting > 0 && waiting + tooLate >= count;
  return (
    <Stack gap={4}>
      <Text size="sm">{isHeld ? 'When the quiet hours end.' : sayWhen(draft)}</Text>
      {waiting > 0 && (
        <Text size="sm">
          {formatNoun(waiting, 'device')} {waiting === 1 ? 'waits' : 'wait'} until the quiet hours end.
        </Text>
      )}
      {span?.firstAt && span.lastAt && <Text size="sm">{sayEnds(span.firstAt, span.lastAt)}</Text>}
      {span && <TooLate span={span} />}
      <Quiet draft={draft} span={span} />
    </Stack>
  );
}

/** What quiet hours change, where nothing else says it. Without a number the message keeps none, or nobody waits now. */
function Quiet({ draft, span }: { draft: MessageDraft; span: DryRun['schedule'][number] | undefined }): ReactNode {
  const words = draft.ignoreQuietHours
    ? 'It is sent during quiet hours too.'
    : span?.waiting === 0 && span.tooLate === 0
      ? 'No device has to wait until quiet hours end.'
      : null;
  if (words === null) return null;
  return (
    <Text size="sm" c="dimmed">
      {words}
    </Text>
  );
}

/** The users who get nothing, because the message is no longer valid when their quiet hours end. */
function TooLate({ span: { firstAt, tooLate = 0 } }: { span: DryRun['schedule'][number] }): ReactNode {
  if (firstAt !== null && tooLate === 0) return null;
  return (
    <Alert color="amber" variant="light" role="alert">
      {firstAt === null
        ? 'Nobody gets it: the quiet hours last longer than the message is valid.'
        : `${formatNoun(tooLate, 'device')} ${tooLate === 1 ? 'gets' : 'get'} nothing: the quiet hours last longer there than the message is valid.`}
    </Alert>
  );
}

function sayWhen(draft: MessageDraft): string {
  const kind = scheduleKindOf(draft);
  if (kind === 'now') return 'At once.';
  const { at } = draft.schedule;
  return kind === 'at' ? `On ${formatMoment(at)}.` : `At ${formatWallTime(at)}, local time of each device.`;
}

function sayEnds(firstAt: string, lastAt: string): string {
  const [first, last] = [formatMoment(firstAt), formatMoment(lastAt)];
  return first === last ? `Devices get it ${first}.` : `The first device gets it ${first}, the last ${last}.`;
}
