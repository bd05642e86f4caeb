import { isJsonObject, type JsonObject, type JsonValue, readJsonObject } from '../json';

/** A button of a notification. */
export interface MessageAction extends JsonObject {
  id: string;
  title: string;
}

/** The visible part of a message. Text is text: put it on a page as such, never as markup. */
export interface MessageNotification {
  title: string;
  body: string;
  icon: string | null;
  badge: string | null;
  image: string | null;
  clickUrl: string | null;
  /** A later notification with the same tag takes this one's place. */
  tag: string | null;
  actions: MessageAction[];
  /** True if a receipt is wanted once it is shown. */
  notifDelivery: boolean;
  /** Fields that the sender added and that the service does not know. */
  extra: JsonObject;
  /** Every field, as it came. */
  fields: JsonObject;
}

/** A message as the application gets it. */
export interface ClientMessage {
  id: string;
  content: string | null;
  data: JsonValue;
  channel: string | null;
  trackId: string | null;
  createdAt: Date | null;
  expireAt: Date | null;
  /** Meant for the application alone: nothing is to be shown. */
  silent: boolean;
  inApp: boolean;
  live: boolean;
  notification: MessageNotification | null;
  /** Fields that the sender added and that the service does not know; over web push, also those of the notification. */
  extra: JsonObject;
  /** Every field, as it came. */
  fields: JsonObject;
}

/** Reads a payload of the connection. @returns null if it is not a message */
export function readMessage(text: string): ClientMessage | null {
  const fields = readJsonObject(text);
  return fields && messageOf(fields);
}

/** Reads a message, of the inbox for one. @returns null when it is none */
export function messageOf(fields: JsonObject): ClientMessage | null {
  const id = textOf(fields.id);
  if (id === null) return null;
  return {
    id,
    content: textOf(fields.content),
    data: fields.data ?? null,
    channel: textOf(fields.channel),
    trackId: textOf(fields.trackId),
    createdAt: timeOf(fields.createdAt),
    expireAt: timeOf(fields.expireAt),
    silent: fields.silent === true,
    inApp: fields.inApp === true,
    live: fields.live === true,
    notification: isJsonObject(fields.notification) ? notificationOf(fields.notification) : null,
    extra: extraOf(fields),
    fields,
  };
}

/** Reads the body of a Web Push message, which is flat. @returns null when it is none */
export function readPushPayload(text: string): ClientMessage | null {
  const fields = readJsonObject(text);
  if (fields === null) return null;
  const { messageId, id, title, ...others } = fields;
  const message = messageOf({ ...others, id: messageId ?? id ?? null });
  if (message === null || message.silent || title === undefined) return message;
  return { ...message, notification: notificationOf(fields) };
}

function notificationOf(fields: JsonObject): MessageNotification {
  return {
    title: textOf(fields.title) ?? '',
    body: textOf(fields.body) ?? '',
    icon: textOf(fields.icon),
    badge: textOf(fields.badge) ?? textOf(fields.smallIcon),
    image: textOf(fields.image) ?? textOf(fields.mediaUrl),
    clickUrl: textOf(fields.clickUrl),
    tag: textOf(fields.tag) ?? textOf(fields.groupId),
    actions: Array.isArray(fields.actions) ? fields.actions.flatMap(actionOf) : [],
    notifDelivery: fields.notifDelivery === true,
    extra: extraOf(fields),
    fields,
  };
}

function actionOf(value: JsonValue): MessageAction[] {
  if (!isJsonObject(value)) return [];
  const id = textOf(value.id) ?? textOf(value.action);
  const title = textOf(value.title);
  return id === null || title === null ? [] : [{ ...value, id, title }];
}

function extraOf({ extra }: JsonObject): JsonObject {
  return isJsonObject(extra) ? extra : {};
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function timeOf(value: JsonValue | undefined): Date | null {
  return typeof value === 'number' ? new Date(value) : null;
}
