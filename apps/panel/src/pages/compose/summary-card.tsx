import { Alert, Anchor, Button, List, Loader, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { ApiError } from '../../api/api-error';
import { ErrorNotice } from '../../components/error-notice';
import { formatCount, formatMoment } from '../../components/format';
import { IconAlertTriangle, IconSend } from '../../components/icons';
import { SectionCard } from '../../components/section-card';
import { Typed } from '../../components/typed';
import { type MessageDraft, scheduleKindOf } from '../../model/message-draft';
import classes from './compose.module.css';
import { useCompose } from './compose-context';
import type { DryRun } from './send-requests';
import type { Sending } from './use-sending';

const VENDOR_NAMES: Record<string, string> = {
  fcm: 'Android',
  apns: 'iOS',
  hms: 'Huawei',
  webpush: 'Browsers',
  connection: 'Own connection',
};

/** What is about to happen, and the button that makes it happen. */
export function SummaryCard(props: {
  sending: Sending;
  parts: number;
  others: readonly string[];
  onPress: () => void;
  onSendAsNew: () => void;
}): ReactNode {
  const { sending, parts, others, onPress, onSendAsNew } = props;
  const { draft, problems } = useCompose();
  const isReady = Object.keys(problems).length === 0;
  return (
    <SectionCard title="Before it goes">
      <Stack gap="md">
        <Count sending={sending} isReady={isReady} />
        {sending.preview && <Vendors preview={sending.preview} />}
        <Moved sending={sending} />
        <Unfinished others={others} />
        <Failure sending={sending} onSendAsNew={onSendAsNew} />
        {saySchedule(draft) !== null && <Text size="sm">{saySchedule(draft)}</Text>}
        {parts > 1 && (
          <Text size="sm" c="dimmed">
            So many user ids do not fit one request: it goes out as {parts} messages with one client id.
          </Text>
        )}
        <Button
          size="md"
          fullWidth
          leftSection={<IconSend size={18} aria-hidden />}
          loading={sending.isSending}
          disabled={isReady && !canPress(sending, draft)}
          onClick={onPress}
        >
          {buttonText(sending, draft)}
        </Button>
      </Stack>
    </SectionCard>
  );
}

/** Says that the number is another one than a moment ago. */
function Moved({ sending: { movedFrom, preview } }: { sending: Sending }): ReactNode {
  if (movedFrom === null || preview === undefined) return null;
  return (
    <Alert color="amber" variant="light" icon={<IconAlertTriangle aria-hidden />} role="alert">
      It was {formatCount(movedFrom)} when you looked, and is {formatCount(preview.count)} now. Press again to send it
      to {formatCount(preview.count)}.
    </Alert>
  );
}

/** How much is left to do, and what the API has against it beside the fields. */
function Unfinished({ others }: { others: readonly string[] }): ReactNode {
  const { problems, marksAll } = useCompose();
  const open = Object.keys(problems).length;
  return (
    <>
      {marksAll && open > 0 && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {open === 1 ? 'One field needs' : `${open} fields need`} your attention.
        </Text>
      )}
      {others.length > 0 && (
        <List size="sm" c="var(--mantine-color-error)">
          {others.map((other) => (
            <List.Item key={other}>
              <Typed text={other} />
            </List.Item>
          ))}
        </List>
      )}
    </>
  );
}

/** Why the message could not be counted, or was not sent. */
function Failure(props: { sending: Sending; onSendAsNew: () => void }): ReactNode {
  const { error, failed } = props.sending;
  if (failed === 'count' || !isSentAlready(error)) {
    const title = failed === 'count' ? 'It could not be counted' : 'It was not sent';
    return <ErrorNotice error={error} title={title} shownPaths={pathsOf(error)} />;
  }
  return (
    <Alert color="amber" variant="light" title="This draft was sent already" role="alert">
      It was accepted before you changed it. Look for it under{' '}
      <Anchor component={Link} href="/messages" inherit>
        Messages
      </Anchor>
      .
      <div>
        <Button size="xs" variant="default" mt="sm" onClick={props.onSendAsNew}>
          Make this a new message
        </Button>
      </div>
    </Alert>
  );
}

function Count({ sending, isReady }: { sending: Sending; isReady: boolean }): ReactNode {
  if (!isReady) {
    return (
      <Text size="sm" c="dimmed">
        Once it is complete, this says how many devices it goes to.
      </Text>
    );
  }
  const { preview, isCounting } = sending;
  return (
    <div role="status" aria-live="polite" aria-busy={isCounting}>
      <span className={classes.total}>{preview ? formatCount(preview.count) : '…'}</span>{' '}
      <Text span c="dimmed" size="sm">
        {preview?.count === 1 ? 'device gets it' : 'devices get it'}
      </Text>{' '}
      {isCounting && <Loader size={14} aria-hidden />}
      {preview?.count === 0 && (
        <Text size="sm" mt={4}>
          Nobody can be reached so. Check the recipients, the channel and whether their vendors are set up.
        </Text>
      )}
    </div>
  );
}

function Vendors({ preview }: { preview: DryRun }): ReactNode {
  const vendors = Object.entries(preview.byVendor).filter(([, devices]) => devices > 0);
  if (vendors.length === 0) return null;
  const users = [...new Set(preview.sample.map(({ userId }) => userId))].slice(0, 3);
  return (
    <div>
      <ul className={classes.vendors} aria-label="By way">
        {vendors
          .sort(([, one], [, other]) => other - one)
          .map(([vendor, devices]) => (
            <li key={vendor} className={classes.vendor}>
              <span>{VENDOR_NAMES[vendor] ?? vendor}</span>
              <span className={classes.bar} aria-hidden>
                <span
                  className={classes.fill}
                  style={{ display: 'block', width: `${(devices / preview.count) * 100}%` }}
                />
              </span>
              <span>{formatCount(devices)}</span>
            </li>
          ))}
      </ul>
      {users.length > 0 && (
        <Text size="xs" c="dimmed" mt="xs">
          Among them <Typed text={users.join(', ')} isMono />
        </Text>
      )}
    </div>
  );
}

function canPress({ preview, isCounting }: Sending, { fallback, schedule }: MessageDraft): boolean {
  if (preview === undefined || isCounting) return false;
  return preview.count > 0 || fallback.isOn || schedule.kind !== 'now';
}

function buttonText({ preview }: Sending, draft: MessageDraft): string {
  const to = preview === undefined || preview.count === 0 ? '' : ` to ${formatCount(preview.count)}`;
  return scheduleKindOf(draft) === 'now' ? `Send${to}` : `Schedule${to}`;
}

/** When it goes out, where that is not now. */
function saySchedule(draft: MessageDraft): string | null {
  const kind = scheduleKindOf(draft);
  const { at } = draft.schedule;
  if (kind === 'now' || Number.isNaN(Date.parse(at))) return null;
  return kind === 'at'
    ? `It goes out on ${formatMoment(at)}.`
    : `It goes out when each device’s clock shows ${formatMoment(at)}.`;
}

/** The draft's idempotency key belongs to another message: the one that it was when it was sent. */
function isSentAlready(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 422 && error.code !== 'AUDIENCE_TOO_COSTLY';
}

function pathsOf(error: Error | null): string[] {
  return error instanceof ApiError ? error.details.map(({ path }) => path) : [];
}
