const LONGEST_ENDPOINT = 2_048;
const ENDPOINT = /^https?:\/\/[^\s"\\]+$/;
const BASE64URL = /^[A-Za-z0-9_-]+={0,2}$/;
/** An uncompressed P-256 point, and the authentication secret (RFC 8291 §3.1, §3.2). */
const KEY_BYTES = { p256dh: 65, auth: 16 } as const;

/**
 * Reads a PushSubscription, as an object or as its JSON text.
 *
 * @returns its canonical JSON text (endpoint, expirationTime, keys), or null when it is none
 */
export function readPushSubscription(value: unknown): string | null {
  const subscription = typeof value === 'string' ? parse(value) : value;
  if (!isRecord(subscription) || !isRecord(subscription.keys)) return null;
  const { endpoint, expirationTime, keys } = subscription;
  if (typeof endpoint !== 'string' || !isEndpoint(endpoint)) return null;
  if (!isKey(keys.p256dh, KEY_BYTES.p256dh) || !isKey(keys.auth, KEY_BYTES.auth)) return null;
  return JSON.stringify({
    endpoint,
    expirationTime: typeof expirationTime === 'number' ? expirationTime : null,
    keys: { p256dh: keys.p256dh, auth: keys.auth },
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEndpoint(text: string): boolean {
  return text.length <= LONGEST_ENDPOINT && ENDPOINT.test(text) && URL.canParse(text);
}

function isKey(value: unknown, bytes: number): value is string {
  return typeof value === 'string' && BASE64URL.test(value) && Buffer.from(value, 'base64url').length === bytes;
}
