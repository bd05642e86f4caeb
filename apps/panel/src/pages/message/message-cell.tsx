import type { ReactNode } from 'react';
import type { MessageContentResponse } from '@postrider/server/document';
import { Typed } from '../../components/typed';
import classes from './message-cell.module.css';

/** A message in a list: its text, in two lines. */
export function MessageCell({
  content,
  trackId,
}: {
  content: MessageContentResponse;
  trackId?: string | null;
}): ReactNode {
  return <NamedCell name={headlineOf(content)} trackId={trackId} subline={sublineOf(content)} />;
}

/** A message with a name: the name, and below it the track id, else another line. */
export function NamedCell(props: {
  name: string;
  trackId?: string | null | undefined;
  subline?: string | null;
}): ReactNode {
  const { name, trackId, subline } = props;
  return (
    <span className={classes.cell}>
      <span className={classes.headline}>
        <Typed text={name} lines={1} />
      </span>
      <span className={classes.subline}>
        {trackId ? <Typed text={trackId} isMono lines={1} /> : subline && <Typed text={subline} lines={1} />}
      </span>
    </span>
  );
}

const DEFAULT_ALERT = 'You have a new message';

/** The text of a message that a device shows: the first text that is set, or null if it shows nothing. */
interface ShownText {
  title: string | null;
  body: string;
}

/** @param applicationName the title where the message has none */
export function shownTextOf(
  message: MessageContentResponse,
  applicationName: string,
  defaultAlert = DEFAULT_ALERT,
): ShownText | null {
  if (message.silent) return null;
  const { notification, alertText, content, useAsAlert } = message;
  const body = notification?.body ?? alertText ?? (useAsAlert ? content : undefined) ?? defaultAlert;
  return { title: notification?.title ?? applicationName, body };
}

/** One line that names a message in a list. */
export function headlineOf(message: MessageContentResponse): string {
  const { notification, alertText, content } = message;
  return firstText(notification?.title, notification?.body, alertText, content) ?? 'Silent update';
}

/** The line below it, where it says something else. */
function sublineOf(message: MessageContentResponse): string | null {
  const headline = headlineOf(message);
  const { notification, alertText, content } = message;
  return (
    [notification?.body, alertText, content].find((text) => text !== undefined && text !== '' && text !== headline) ??
    null
  );
}

function firstText(...texts: (string | undefined)[]): string | undefined {
  return texts.find((text) => text !== undefined && text !== '');
}
