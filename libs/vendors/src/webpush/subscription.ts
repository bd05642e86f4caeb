import type { SubscriberKeys } from './encrypt';

/** What a browser gave when it subscribed. */
export interface Subscription {
  endpoint: URL;
  keys: SubscriberKeys;
}

const POINT_BYTES = 65;
const AUTH_BYTES = 16;

/**
 * Reads a device token that is the JSON text of a PushSubscription.
 *
 * @returns null when it cannot be one
 */
export function parseSubscription(token: string): Subscription | null {
  const value = parseJson(token) as { endpoint?: unknown; keys?: { p256dh?: unknown; auth?: unknown } | null } | null;
  const endpoint = webAddress(value?.endpoint);
  const p256dh = bytes(value?.keys?.p256dh, POINT_BYTES);
  const auth = bytes(value?.keys?.auth, AUTH_BYTES);
  return endpoint && p256dh && auth ? { endpoint, keys: { p256dh, auth } } : null;
}

function webAddress(text: unknown): URL | null {
  if (typeof text !== 'string' || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
}

function bytes(text: unknown, length: number): Buffer | null {
  if (typeof text !== 'string') return null;
  const buffer = Buffer.from(text, 'base64url');
  return buffer.length === length ? buffer : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
