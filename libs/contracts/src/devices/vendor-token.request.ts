import { isJsonObject, type JsonObject, PUSH_VENDORS, type PushVendor, type VendorToken } from '@postrider/domain';
import { fieldOf, Optional, SaysOfClass } from '../validation/field';
import { IsName, IsOneOf, IsText } from '../validation/fields';
import type { Reading } from '../validation/reading';
import { readTextUpTo } from '../validation/values';
import { IsUserHash } from '../validation/user-identity';

const LONGEST_ENDPOINT = 2_048;
const ENDPOINT = /^https?:\/\/[^\s"\\]+$/;
/** Browsers give base64url without padding; pages that encode the keys with `btoa`, the standard form. */
const BASE64 = /^[A-Za-z0-9_+/-]+={0,2}$/;
/** An uncompressed P-256 point, and the authentication secret (RFC 8291 §3.1, §3.2). */
const KEY_BYTES = { p256dh: 65, auth: 16 } as const;

/** What `PushSubscription.toJSON()` gives. */
const SUBSCRIPTION = {
  type: 'object',
  required: ['endpoint', 'keys'],
  properties: {
    endpoint: { type: 'string' },
    keys: {
      type: 'object',
      required: ['p256dh', 'auth'],
      properties: { p256dh: { type: 'string' }, auth: { type: 'string' } },
    },
  },
  additionalProperties: true,
};

/**
 * Reads a PushSubscription, as an object or as its JSON text.
 *
 * @returns its canonical JSON text (endpoint, expirationTime, keys in base64url without padding), or null if it is not one
 */
function readPushSubscription(value: unknown): string | null {
  const subscription = typeof value === 'string' ? parse(value) : value;
  if (!isJsonObject(subscription) || !isJsonObject(subscription.keys)) return null;
  const { endpoint, expirationTime, keys } = subscription;
  if (typeof endpoint !== 'string' || !isEndpoint(endpoint)) return null;
  const [p256dh, auth] = [readKey(keys.p256dh, KEY_BYTES.p256dh), readKey(keys.auth, KEY_BYTES.auth)];
  if (p256dh === null || auth === null) return null;
  return JSON.stringify({
    endpoint,
    expirationTime: typeof expirationTime === 'number' ? expirationTime : null,
    keys: { p256dh, auth },
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isEndpoint(text: string): boolean {
  return text.length <= LONGEST_ENDPOINT && ENDPOINT.test(text) && URL.canParse(text);
}

function readKey(value: unknown, bytes: number): string | null {
  if (typeof value !== 'string' || !BASE64.test(value)) return null;
  const key = Buffer.from(value, 'base64url');
  return key.length === bytes ? key.toString('base64url') : null;
}

const LONGEST_TYPE = 64;
const LONGEST_TOKEN = 4_096;
/** Tokens are put into URLs and JSON. No vendor makes one with blanks or beyond ASCII. */
const TOKEN = new RegExp(String.raw`^[\x21-\x7e]{1,${LONGEST_TOKEN}}$`);
/** What published clients send if the device has no token. */
const NO_TOKEN = new Set(['', 'disabled', 'NOT_EXIST']);

/** A map, since the type of a device is any text: an object has members of its own, such as `constructor`. */
const PUSH_TYPE_OF: ReadonlyMap<string, PushVendor> = new Map([
  ['android', 'fcm'],
  ['huawei', 'hms'],
  ['ios', 'apns'],
  ['web', 'webpush'],
]);

/** How a device can be pushed to, without the token itself. */
export abstract class VendorTokenFields {
  @Optional() @IsUserHash() userHash?: string;
  @Optional() @IsDeviceType() deviceType?: string;
  @Optional() @IsText(64, 'such as ALLOWED, DENIED, NOT_SUPPORTED, ERR') tokenStatus?: string;
  @Optional() @IsOneOf(PUSH_VENDORS, { description: 'the default depends on `deviceType`' }) pushType?: PushVendor;
}

/** The body of `POST installations/updateDeviceToken`. */
@SaysOfClass({
  examples: [
    {
      installationId: '01932c5e-7f7a-7c3e-8a3b-0f6d2a1b4c5d',
      userId: 'ada',
      deviceType: 'android',
      deviceToken: 'fX2k…',
    },
  ],
})
export class DeviceTokenRequest extends VendorTokenFields {
  @IsName() installationId!: string;
  @IsName() userId!: string;
  @IsDeviceToken() deviceToken!: string | null;
}

/** How a device can be pushed to, according to its request. */
export function vendorTokenOf(request: VendorTokenFields & { deviceToken?: string | null }): VendorToken {
  const { deviceToken, tokenStatus } = request;
  return { pushType: vendorOf(request), token: deviceToken ?? null, tokenStatus: tokenStatus ?? null };
}

/**
 * The vendor's token for a device; for Web Push the subscription, read as its JSON text. Read as null if the device has
 * none.
 */
export function IsDeviceToken(): PropertyDecorator {
  return fieldOf({
    name: 'isDeviceToken',
    read: readDeviceToken,
    schema: {
      oneOf: [{ type: 'string' }, SUBSCRIPTION],
      description:
        'FCM, HMS or APNs token; for web a PushSubscription, as an object or as its JSON text; `disabled` or `NOT_EXIST`: no token',
    },
  });
}

function readDeviceToken(value: unknown, sent: JsonObject): Reading<string | null> {
  if (typeof value === 'string' && NO_TOKEN.has(value)) return { value: null };
  if (vendorOf(sent) === 'webpush') {
    const subscription = readPushSubscription(value);
    if (subscription !== null) return { value: subscription };
    return { problem: 'must be the JSON text of a PushSubscription with endpoint and keys' };
  }
  if (typeof value === 'string' && TOKEN.test(value)) return { value };
  return { problem: `must be text of 1 to ${LONGEST_TOKEN} ASCII characters without blanks` };
}

/** The vendor that a request, or a sent object, names. */
function vendorOf({ pushType, deviceType }: { pushType?: unknown; deviceType?: unknown }): PushVendor | null {
  const named = PUSH_VENDORS.find((vendor) => vendor === pushType);
  const type = readDeviceType(deviceType);
  return named ?? PUSH_TYPE_OF.get('value' in type ? (type.value ?? '') : '') ?? null;
}

/** The kind of device, in lower case. */
function IsDeviceType(): PropertyDecorator {
  return fieldOf({
    name: 'isDeviceType',
    read: readDeviceType,
    schema: { type: 'string', maxLength: LONGEST_TYPE, description: 'such as android, huawei, ios, web' },
  });
}

function readDeviceType(value: unknown): Reading<string | undefined> {
  const type = readTextUpTo(value, LONGEST_TYPE);
  return 'value' in type ? { value: type.value?.toLowerCase() } : type;
}
