import type { JsonObject, JsonValue } from '@postrider/domain';
import { messageEnvelope } from '../envelope/message-envelope';
import { present } from '../fields/present';
import type { RenderingInput } from './rendering-input';

/** What is shown, for clients that read a key without parsing `m`. Named by us, so none of FCM's reserved words. */
const FLAT_KEYS = [
  'title',
  'body',
  'icon',
  'groupId',
  'clickUrl',
  'category',
  'mediaType',
  'mediaUrl',
  'actions',
] as const;

/** Bytes up to which the flat keys stand beside `m`. With more they are left out before a message is refused as too big. */
const ROOM_FOR_FLAT_KEYS = 3_000;

/**
 * The `data` of an FCM message: `mid` is the message's id, `m` the whole message as one JSON text (FCM's data values are
 * strings, some of its keys are reserved, so the caller's fields are never spread), and the fields that are shown once more
 * as keys of their own, while there is room. `beside` is what else of the message FCM counts: a notification that the system
 * shows.
 */
export function fcmData({ message, application, platform }: RenderingInput, beside: JsonObject = {}): JsonObject {
  const envelope = messageEnvelope(message, application, platform);
  const whole = { mid: message.id, m: JSON.stringify(envelope) };
  const flat = flatKeys(envelope);
  const size = Buffer.byteLength(whole.m + JSON.stringify(flat) + JSON.stringify(beside));
  return size > ROOM_FOR_FLAT_KEYS ? whole : { ...whole, ...flat };
}

function flatKeys(envelope: JsonObject): JsonObject {
  const shown = (envelope.notification ?? {}) as JsonObject;
  const text = (value: JsonValue | undefined): string | undefined => {
    if (value === undefined || value === null) return undefined;
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  const pick = (source: JsonObject, keys: readonly string[]): [string, string | undefined][] =>
    keys.map((key) => [key, text(source[key])]);
  return present(Object.fromEntries([...pick(envelope, ['trackId', 'clientId']), ...pick(shown, FLAT_KEYS)]));
}
