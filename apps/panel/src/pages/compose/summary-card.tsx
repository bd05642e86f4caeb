import { Alert, Anchor, Button, List, Loader, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { ApiError } from '../../api/api-error';
import { ErrorNotice } from '../../components/error-notice';
import { formatCount, formatMoment, formatWallTime } from '../../components/format';
import { IconAlertTriangle, IconSend } from '../../components/icons';
import { SectionCard } from '../../components/section-card';
import { Typed } from '../../components/typed';
import { type MessageDraft, scheduleKindOf } from '../../model/message-draft';
import classes from './compose.module.css';
import { vendorName } from '../message/words';
import { WaitingForVendors } from '../overview/waiting-for-vendors';
import { useCompose } from './compose-context';
import type { DryRun, Sending } from './use-sending';

/** What is about to happen, and the button that makes it happen. */
export function SummaryCard(props: {
  sending: Sending;
  parts: number;
  others: readonly string[];
  /** True if the dialog over it is open, which shows the failure itself. */
  isReviewed: boolean;
  onPress: () => void;
  onSendAsNew: () => void;
}): ReactNode {
  const { sending, parts, others, isReviewed, onPress, onSendAsNew } = props;
  const { draft, problems } = useCompose();
  const isReady = Object.keys(problems).length === 0;
  return (
    <SectionCard title="Summary">
      <Stack gap="md">
        <Count sending={sending} isReady={isReady} />
        {sending.preview && <Vendors preview={sending.preview} />}
        {sending.preview && <WaitingForVendors waiting={sending.preview.waitingForVendors} />}
        {!isReviewed && <Moved sending={sending} />}
        <Unfinished others={others} />
        {!isReviewed && <Failure sending={sending} onSendAsNew={onSendAsNew} />}
        <Schedule />
        {parts > 1 && (
          <Text size="sm" c="dimmed">
            The user ids do not fit into one request. The message is sent as {parts} messages with one client id.
          </Text>
        )}
        <Button
          className={classes.review}
          size="md"
          fullWidth
          leftSection={<IconSend size={18} aria-hidden />}
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
export function Moved({ sending: { movedFrom, preview } }: { sending: Sending }): ReactNode {
  if (movedFrom === null || preview === undefined) return null;
  return (
    <Alert color="amber" variant="light" icon={<IconAlertTriangle aria-hidden />} role="alert">
      It was {formatCount(movedFrom)} at the last count, and is {formatCount(preview.count)} now. Press again to send it
      to {formatCount(preview.count)}.
    </Alert>
  );
}

/** How much is left to do, and the API's problems that belong to no field. */
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
export function Failure(props: { sending: Sending; onSendAsNew: () => void }): ReactNode {
  const { error, failed } = props.sending;
  if (failed === 'send' && isOutcomeUnknown(error)) return <OutcomeUnknown error={error} />;
  if (failed === 'count' || !isSentAlready(error)) {
    // Above the button it is listed already what is wrong with the message as a whole.
    if (failed === 'count' && isOfWholeMessage(error)) return null;
    const title = failed === 'count' ? 'The devices could not be counted' : 'The message was not sent';
    return <ErrorNotice error={error} title={title} shownPaths={pathsOf(error).filter((path) => path !== '')} />;
  }
  return (
    <Alert color="amber" variant="light" title="This draft was already sent" role="alert">
      It was accepted before you changed it. You find it under{' '}
      <Anchor component={Link} href="/messages" inherit>
        Messages
      </Anchor>
      .
      <div>
        <Button size="xs" variant="default" mt="sm" onClick={props.onSendAsNew}>
          Send as a new message
        </Button>
      </div>
    </Alert>
  );
}

/** The draft keeps its idempotency key: if it was sent, another try answers so. */
function OutcomeUnknown({ error }: { error: ApiError }): ReactNode {
  const why = error.code === 'CONFLICT' ? 'An earlier try is still at work' : error.message;
  return (
    <Alert color="amber" variant="light" title="It is not known whether the message was sent" role="alert">
      <Typed text={why} />. Send it again in a moment: it is sent once, however often you try.
    </Alert>
  );
}

function Count({ sending, isReady }: { sending: Sending; isReady: boolean }): ReactNode {
  if (!isReady) {
    return (
      <Text size="sm" c="dimmed">
        Complete the message to see the number of devices.
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
          No device can be reached. Check the recipients, the channel and the vendors.
        </Text>
      )}
    </div>
  );
}

/** The number of devices that each vendor reaches. */
export function Vendors({ preview }: { preview: DryRun }): ReactNode {
  const vendors = Object.entries(preview.byVendor).filter(([, devices]) => devices > 0);
  if (vendors.length === 0) return null;
  const users = [...new Set(preview.sample.map(({ userId }) => userId))].slice(0, 3);
  return (
    <div>
      <ul className={classes.vendors} aria-label="By vendor">
        {vendors
          .sort(([, one], [, other]) => other - one)
          .map(([vendor, devices]) => (
            <li key={vendor} className={classes.vendor}>
              <span>{vendorName(vendor)}</span>
              <span className={`meter ${classes.bar ?? ''}`} aria-hidden>
                <span
                  className={`meter-fill ${classes.fill ?? ''}`}
                  style={{ display: 'block', width: `${(devices / preview.count) * 100}%` }}
                />
              </span>
              <span style={{ minWidth: `${formatCount(preview.count).length}ch`, textAlign: 'end' }}>
                {formatCount(devices)}
              </span>
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
  return scheduleKindOf(draft) === 'now' ? `Review and send${to}` : `Review and schedule${to}`;
}

/** When it is sent, if that is not now; or why it cannot be sent then. */
function Schedule(): ReactNode {
  const { draft, problems } = useCompose();
  const said = saySchedule(draft);
  if (said === null) return null;
  const { schedule: problem } = problems;
  if (problem === undefined) return <Text size="sm">{said}</Text>;
  return (
    <Text size="sm" c="var(--mantine-color-error)">
      {problem}: {formatMoment(draft.schedule.at)}.
    </Text>
  );
}

/** Says when it is sent, if that is not now. */
function saySchedule(draft: MessageDraft): string | null {
  const kind = scheduleKindOf(draft);
  const { at } = draft.schedule;
  if (kind === 'now' || Number.isNaN(Date.parse(at))) return null;
  return kind === 'at'
    ? `It is sent on ${formatMoment(at)}.`
    : `It is sent at ${formatWallTime(at)} in each device’s local time.`;
}

/** The draft's idempotency key belongs to another message: the one that it was when it was sent. */
function isSentAlready(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 422 && error.code !== 'AUDIENCE_TOO_COSTLY';
}

/** No field is marked: every problem belongs to the message as a whole, such as its size. */
function isOfWholeMessage(error: Error | null): boolean {
  const paths = pathsOf(error);
  return paths.length > 0 && paths.every((path) => path === '');
}

/** No answer came, or none of ours; or a request with the same idempotency key is still running. */
function isOutcomeUnknown(error: Error | null): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  return error.status === 0 || error.code === 'CONFLICT' || (error.status >= 500 && error.code !== 'UNAVAILABLE');
}

function pathsOf(error: Error | null): string[] {
  return error instanceof ApiError ? error.details.map(({ path }) => path) : [];
}
