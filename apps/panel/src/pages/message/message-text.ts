import type { MessageContentResponse } from '../../api/generated/document';

const DEFAULT_ALERT = 'You have a new message';

/** What a device shows of a message: the first text that is set, or null when it shows nothing. */
export interface ShownText {
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
export function sublineOf(message: MessageContentResponse): string | null {
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
