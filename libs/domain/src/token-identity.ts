import type { PushVendor } from './vendor';

/** A vendor token. */
interface KnownToken {
  pushType: PushVendor;
  token: string;
}

/**
 * The text that identifies a vendor token: two tokens with the same text are one device. A token of APNs is a number,
 * which apps give in capitals (Capacitor) or in small letters. A Web Push subscription (JSON) is its endpoint, whatever
 * its keys. `tokenKey` in `libs/persistence` says it in SQL, within a push type.
 */
export function tokenIdentity({ pushType, token }: KnownToken): string {
  if (pushType === 'apns') return `apns ${token.toLowerCase()}`;
  const endpoint = pushType === 'webpush' ? /"endpoint":"([^"]*)"/.exec(token)?.[1] : undefined;
  return `${pushType} ${endpoint ?? token}`;
}
