import type { JsonObject } from '@postrider/domain';
import { messageEnvelope } from '../envelope/message-envelope';
import type { RenderingInput } from './rendering-input';

/** The shown fields, for clients that read a key without parsing `m`. None of our names is a reserved word of FCM. */
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

/** The same for fields about the message. */
const ENVELOPE_KEYS = ['trackId', 'clientId'] as const;

/**
 * Up to this many bytes the flat keys are sent beside `m`. In larger messages they are left out, before a message is
 * refused as too big.
 */
export const ROOM_FOR_FLAT_KEYS = 3_000;
/**
 * The most bytes of a UTF-16 unit in UTF-8, and the most units of it when JSON escapes it; quotes and commas included.
 */
const MOST_BYTES = 3;
const MOST_ESCAPED = 6;

/**
 * The `data` of an FCM message: `mid` is the message's id, and `m` the whole message as one JSON text. (FCM's data
 * values are strings, and some of its keys are reserved, so the caller's fields are never spread.) The shown fields are
 * repeated as keys of their own if there is room. `beside` is everything else that FCM counts: a notification that the
 * system shows.
 */
export function fcmData(
  { message, application, platform, hasFlatKeys }: RenderingInput,
  beside: JsonObject,
): JsonObject {
  const envelope = messageEnvelope(message, application, platform);
  const whole = { mid: message.id, m: JSON.stringify(envelope) };
  const flat = flatKeys(envelope);
  const isFlat = hasFlatKeys ?? hasRoom(whole.m, flat, JSON.stringify(beside));
  return isFlat ? Object.assign(whole, flat) : whole;
}

/** The texts that have to fit into `ROOM_FOR_FLAT_KEYS`, of an FCM message that has its flat keys. */
export function textsInRoom({ data, android, webpush }: JsonObject): string[] {
  const { m, ...flat } = data as JsonObject;
  delete flat.mid;
  return [m as string, JSON.stringify(flat), JSON.stringify(android ?? webpush ?? {})];
}

/** Most messages are so short that no byte needs to be counted. */
function hasRoom(whole: string, flat: Record<string, string>, beside: string): boolean {
  let most = whole.length + beside.length;
  for (const name in flat) most += name.length + 6 + (flat[name] as string).length * MOST_ESCAPED;
  if (most * MOST_BYTES <= ROOM_FOR_FLAT_KEYS) return true;
  return Buffer.byteLength(whole + JSON.stringify(flat) + beside) <= ROOM_FOR_FLAT_KEYS;
}

function flatKeys(envelope: JsonObject): Record<string, string> {
  const flat: Record<string, string> = {};
  take(envelope, ENVELOPE_KEYS, flat);
  take((envelope.notification ?? {}) as JsonObject, FLAT_KEYS, flat);
  return flat;
}

function take(source: JsonObject, keys: readonly string[], into: Record<string, string>): void {
  for (const key of keys) {
    const value = source[key];
    if (value !== undefined && value !== null) into[key] = typeof value === 'string' ? value : JSON.stringify(value);
  }
}
