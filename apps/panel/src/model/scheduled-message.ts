import type { MessageChangesRequest, MessageResponse } from '@postrider/server/document';

/** What may be changed of a message that waits, as it stands in fields. */
export interface ScheduledForm {
  /** As `datetime-local` has it. */
  at: string;
  title: string;
  content: string;
}

/** Whether a message waits for its time and nothing of it was sent. Its recipients are counted before it leaves. */
export function isScheduled(
  { status, sendAt, startsAt }: Pick<MessageResponse, 'status' | 'sendAt' | 'startsAt'>,
  now: number,
): boolean {
  return status === 'accepted' && sendAt !== null && Date.parse(startsAt) > now;
}

/** A message that waits, in fields. */
export function scheduledForm({ sendAt, localTime, content: what }: MessageResponse): ScheduledForm {
  const at = sendAt ?? '';
  const { content: text = '', notification } = what;
  return {
    at: localTime ? at.slice(0, 16) : wallTime(new Date(at)),
    title: notification?.title ?? '',
    content: text,
  };
}

/** Only what was changed; empty when nothing was. */
export function changesOf(message: MessageResponse, form: ScheduledForm): MessageChangesRequest {
  const before = scheduledForm(message);
  const changes: MessageChangesRequest = {};
  if (form.at !== before.at) changes.sendAt = message.localTime ? `${form.at}:00` : new Date(form.at).toISOString();
  if (form.content !== before.content) {
    changes.content = form.content;
    // The notification may repeat the text in words of its own.
    const { alertText } = message.content;
    if (alertText !== undefined && alertText === before.content) changes.alertText = form.content;
  }
  if (form.title !== before.title) changes.notification = notificationWith(message, form.title);
  return changes;
}

/** A notification is replaced as a whole: its unknown fields stand among the others in a request. */
function notificationWith(
  { content }: MessageResponse,
  title: string,
): NonNullable<MessageChangesRequest['notification']> {
  const { extra, actions, ...fields } = content.notification ?? {};
  const buttons = actions?.map(({ extra: further, ...action }) => ({ ...further, ...action }));
  return { ...extra, ...fields, ...(buttons === undefined ? {} : { actions: buttons }), title };
}

/** A moment as a clock on the reader's wall shows it, to the minute. */
function wallTime(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
