import { PUSH_VENDORS, type PushVendor } from '@postrider/domain';
import type { BodyReader } from '../fields/body-reader';
import { readPushSubscription } from './push-subscription';

const LONGEST_TOKEN = 4_096;
/** Tokens are put into URLs and JSON. No vendor makes one with blanks or beyond ASCII. */
const TOKEN = /^[\x21-\x7e]{1,4096}$/;
/** What published clients send when the device has no token. */
const NO_TOKEN = new Set(['', 'disabled', 'NOT_EXIST']);

const PUSH_TYPE_OF: Partial<Record<string, PushVendor>> = { android: 'fcm', ios: 'apns', web: 'webpush' };

/** A device's way to be pushed to: which vendor, which token, and what the device says of it. */
export interface DeviceToken {
  pushType: PushVendor | null;
  token: string | null;
  tokenStatus: string | null;
}

/** Reads `deviceToken`, `tokenStatus` and `pushType` (default: by device type) of a request. */
export function readDeviceToken(fields: BodyReader, deviceType: string | null): DeviceToken {
  const pushType = fields.oneOf('pushType', PUSH_VENDORS) ?? PUSH_TYPE_OF[deviceType ?? ''] ?? null;
  return { pushType, token: readToken(fields, pushType), tokenStatus: fields.text('tokenStatus', 64) };
}

function readToken(fields: BodyReader, pushType: PushVendor | null): string | null {
  const value = fields.raw('deviceToken');
  if (value === undefined || (typeof value === 'string' && NO_TOKEN.has(value))) return null;
  if (pushType === 'webpush') {
    return (
      readPushSubscription(value) ??
      fields.reject('deviceToken', 'must be the JSON text of a PushSubscription with endpoint and keys')
    );
  }
  if (typeof value === 'string' && TOKEN.test(value)) return value;
  return fields.reject('deviceToken', `must be text of 1 to ${LONGEST_TOKEN} ASCII characters without blanks`);
}
