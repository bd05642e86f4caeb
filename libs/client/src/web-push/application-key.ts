/** An uncompressed point on P-256 (RFC 8292 §3.2). */
const KEY_BYTES = 65;

/** Reads a public VAPID key. @throws TypeError when it is none */
export function bytesOf(base64url: string): Uint8Array {
  const base64 = base64url.trim().replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  if (/^[A-Za-z0-9+/]+$/.test(base64)) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    if (bytes.length === KEY_BYTES) return bytes;
  }
  throw new TypeError('vapidPublicKey must be the base64url of an uncompressed P-256 point');
}

/** Whether a key that the browser tells is this one. */
export function sameBytes(told: ArrayBuffer | null, key: Uint8Array): boolean {
  if (told?.byteLength !== key.length) return false;
  const bytes = new Uint8Array(told);
  return key.every((byte, place) => byte === bytes[place]);
}
