import { type Channel, type MessageContent, MAX_TTL_SECONDS, type Notification, parseChannel } from '@postrider/domain';
import type { FieldReader } from '../fields/field-reader';
import { readFilledText, readName, type Reading } from '../validation/values';
import { readFallback } from './read-fallback';
import { isSilentUpdate, readNotification } from './read-notification';
import { readSteering, STEERING_FIELDS } from './read-steering';
import type { SendRequest } from './send.request';

const MESSAGE_FIELDS = new Set<string>([
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
  'trackLinks',
  'isTest',
  ...STEERING_FIELDS,
]);

/** Reads every field of a message but those that say whom it goes to. */
export function readMessage(fields: FieldReader): Omit<SendRequest, 'recipients'> {
  const notificationFields = fields.nested('notification');
  const notification = notificationFields && readNotification(notificationFields);
  const fallbackFields = fields.nested('fallback');
  const content: MessageContent = {
    content: readContent(fields, notification),
    data: fields.raw('data'),
    trackId: fields.optional('trackId', readName),
    clientId: fields.optional('clientId', readName),
    alertText: fields.text('alertText'),
    ...readFlags(fields),
    notification,
    fallback: fallbackFields && readFallback(fallbackFields),
    trackLinks: fields.boolean('trackLinks') || undefined,
    isTest: fields.boolean('isTest') || undefined,
    extra: fields.rest(MESSAGE_FIELDS),
  };
  return {
    path: fields.path,
    channel: fields.optional('channel', readChannel) ?? 'public/default',
    content,
    ttlSeconds: fields.integer('ttl', 0, MAX_TTL_SECONDS) ?? MAX_TTL_SECONDS,
    steering: readSteering(fields),
  };
}

/** An absent flag is false. */
function readFlags(
  fields: FieldReader,
): Pick<MessageContent, 'useAsAlert' | 'silent' | 'inApp' | 'live' | 'autoNotify'> {
  const isSet = (name: string): boolean => fields.boolean(name) ?? false;
  return {
    useAsAlert: isSet('useAsAlert'),
    silent: isSet('silent'),
    inApp: isSet('inApp'),
    live: isSet('live'),
    autoNotify: isSet('autoNotify'),
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
