import type { MessageChangesRequest, MessageResponse } from '@postrider/server/document';

/** The changeable parts of a waiting message, as in their fields. */
export interface ScheduledForm {
  /** Like `datetime-local` has it. */
  at: string;
  title: string;
  content: string;
  /** The text of the notification if it differs from `content`; null: it is the same. */
  shown: string | null;
}

/** True if a message waits for its time and no part of it was sent. Its recipients are counted before it leaves. */
export function isScheduled(
  { status, sendAt, startsAt }: Pick<MessageResponse, 'status' | 'sendAt' | 'startsAt'>,
  now: number,
): boolean {
  return status === 'accepted' && sendAt !== null && Date.parse(startsAt) > now;
}

/** A message that waits, in fields. */
export function scheduledForm({ sendAt, localTime, content: what }: MessageResponse): ScheduledForm {
  const at = sendAt ?? '';
  const { content = '', notification } = what;
  return {
    at: localTime ? at.slice(0, 16) : wallTime(new Date(at)),
    title: notification?.title ?? '',
    content,
    shown: ownWordsOf(what),
  };
}

/**
 * Returns the text of a message's notification if it is not the message's text; null: it is the same, or there is none.
 */
function ownWordsOf({ silent, notification, alertText, content = '' }: MessageResponse['content']): string | null {
  const words = silent ? undefined : (notification?.body ?? alertText);
  return words === undefined || words === content ? null : words;
}

/** Returns only the changes; empty if there are none. */
export function changesOf(message: MessageResponse, form: ScheduledForm): MessageChangesRequest {
  const before = scheduledForm(message);
  const changes: MessageChangesRequest = {};
  if (form.at !== before.at) changes.sendAt = message.localTime ? `${form.at}:00` : new Date(form.at).toISOString();
  if (form.content !== before.content) changes.content = form.content;
  return { ...changes, ...notificationChanges(message, before, form) };
}

/** A notification that repeats the text continues to repeat it. */
function notificationChanges(
  message: MessageResponse,
  before: ScheduledForm,
  form: ScheduledForm,
): Pick<MessageChangesRequest, 'alertText' | 'notification'> {
  const { alertText, notification } = message.content;
  const [was, body] = [before.shown ?? before.content, form.shown ?? form.content];
  const isSaid = (words: string | undefined): boolean => body !== was && words === was;
  const inside = {
    ...(form.title === before.title ? {} : { title: form.title }),
    ...(isSaid(notification?.body) ? { body } : {}),
  };
  return {
    ...(isSaid(alertText) ? { alertText: body } : {}),
    ...(Object.keys(inside).length === 0 ? {} : { notification: notificationWith(message, inside) }),
  };
}

/** A notification is replaced as a whole: its unknown fields stand among the others in a request. */
function notificationWith(
  { content }: MessageResponse,
  changes: { title?: string; body?: string },
): NonNullable<MessageChangesRequest['notification']> {
  const { extra, actions, ...fields } = content.notification ?? {};
  const buttons = actions?.map(({ extra: further, ...action }) => ({ ...further, ...action }));
  return { ...extra, ...fields, ...(buttons === undefined ? {} : { actions: buttons }), ...changes };
}

/** The form after somebody else has changed the message while it was edited here. */
export interface MergedForm {
  form: ScheduledForm;
  /** The fields that both have changed to something else: the form has what was typed here. */
  disputed: (keyof ScheduledForm)[];
}

/** Takes over what somebody else has changed, except in fields that were changed here too. */
export function mergeForms(before: ScheduledForm, mine: ScheduledForm, theirs: ScheduledForm): MergedForm {
  const names = Object.keys(before) as (keyof ScheduledForm)[];
  const isMine = (name: keyof ScheduledForm): boolean => mine[name] !== before[name];
  const kept = names.filter(isMine).map((name) => [name, mine[name]] as const);
  const disputed = names.filter((name) => isMine(name) && theirs[name] !== before[name] && theirs[name] !== mine[name]);
  return { form: { ...theirs, ...Object.fromEntries(kept) }, disputed };
}

/** A moment as a clock on the reader's wall shows it, to the minute. */
export function wallTime(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
