import { type Channel, type MessageContent, MAX_TTL_SECONDS, type Notification, parseChannel } from '@postrider/domain';
import type { FieldReader } from '../common/field-reader';
import { readFilledText, readName, type Reading } from '../common/read-values';
import { readFallback } from './read-fallback';
import { isSilentUpdate, readNotification } from './read-notification';
import type { SendRequest } from './send.request';

const MESSAGE_FIELDS = new Set([
  'user',
  'users',
  'target',
  'segment',
  'channel',
  'content',
  'data',
  'trackId',
  'inApp',
  'autoNotify',
  'live',
  'useAsAlert',
  'alertText',
  'ttl',
  'fallback',
  'clientId',
  'notification',
  'silent',
]);

/** Reads every field of a message but those that say whom it goes to. */
export function readMessage(fields: FieldReader): Omit<SendRequest, 'recipients'> {
  const notificationFields = fields.nested('notification');
  const notification = notificationFields && readNotification(notificationFields);
  const fallbackFields = fields.nested('fallback');
  const content: MessageContent = {
    content: readContent(fields, notification),
    data: fields.object.data,
    trackId: fields.optional('trackId', readName),
    clientId: fields.optional('clientId', readName),
    alertText: fields.text('alertText'),
    useAsAlert: fields.boolean('useAsAlert') ?? false,
    silent: fields.boolean('silent') ?? false,
    inApp: fields.boolean('inApp') ?? false,
    live: fields.boolean('live') ?? false,
    autoNotify: fields.boolean('autoNotify') ?? false,
    notification,
    fallback: fallbackFields && readFallback(fallbackFields),
    extra: fields.rest(MESSAGE_FIELDS),
  };
  return {
    path: fields.path,
    channel: fields.optional('channel', readChannel) ?? 'public/default',
    content,
    ttlSeconds: fields.integer('ttl', 0, MAX_TTL_SECONDS) ?? MAX_TTL_SECONDS,
  };
}

/** Required, except with a notification that only wakes the app up (decisions, `content`). */
function readContent(fields: FieldReader, notification: Notification | undefined): string | undefined {
  if (notification && isSilentUpdate(notification)) return fields.optional('content', readFilledText);
  return fields.required('content', readFilledText);
}

function readChannel(value: unknown): Reading<Channel> {
  const channel = typeof value === 'string' ? parseChannel(value) : null;
  if (channel !== null) return { value: channel };
  return {
    problem: 'must be a channel: 1 to 128 of letters, digits, _ - . with public/ or private/ before it or nothing',
  };
}
