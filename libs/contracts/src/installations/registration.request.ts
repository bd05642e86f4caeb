import {
  type Channel,
  DEFAULT_CHANNELS,
  type JsonObject,
  type JsonValue,
  normaliseText,
  parseSubscription,
  type PushVendor,
} from '@postrider/domain';
import { BodyReader } from '../fields/body-reader';
import { readDeviceToken } from './device-token';
import { LONGEST_HASH } from './device-token.request';

const MOST_SUBSCRIPTIONS = 1_000;
const LONGEST_TEXT = 1_024;
/** Fields that we do not know are kept with every installation: a device may not store a book there. */
const LARGEST_REST_BYTES = 16_384;
const NO_CHANNEL = 'must be a channel: 1 to 128 letters, digits, _ - . behind public/ or private/';
const MOST_LAUNCHES = Number.MAX_SAFE_INTEGER;

/** The full state of an installation, as a device registers it (device-protocol, Registration). Null: not said. */
export interface RegistrationRequest {
  appId: string | null;
  userId: string;
  deviceType: string | null;
  pushType: PushVendor | null;
  token: string | null;
  tokenStatus: string | null;
  osVersion: string | null;
  clientVersion: string | null;
  launchCount: number | null;
  launchTime: Date | null;
  installDate: Date | null;
  channels: Channel[] | null;
  timeZone: string | null;
  locale: string | null;
  location: { latitude: number; longitude: number } | null;
  realtime: boolean;
  protected: boolean;
  /** What led to the installation: the Play Store's install referrer, the token of a click, the browser's user agent. */
  installReferrer: string | null;
  clickToken: string | null;
  userAgent: string | null;
  /** Every other field, as it came. */
  rest: JsonObject;
  /** The names of all fields that say something. */
  names: string[];
}

/** Fields with a place of their own, or that are no state of the installation. */
const KNOWN = new Set([
  'id',
  'appId',
  'userId',
  'userHash',
  'deviceType',
  'deviceToken',
  'tokenStatus',
  'pushType',
  'osVersion',
  'clientVersion',
  'appVersion',
  'launchCount',
  'launchTime',
  'installDate',
  'subscriptions',
  'timeZone',
  'locale',
  'location',
  'realtime',
  'protected',
  'installReferrer',
  'clickToken',
  'tags',
  'userInfo',
  'createdAt',
  'updatedAt',
]);

/**
 * Reads the body of `POST installations` and `PUT installations/:id`.
 *
 * @throws InvalidRequest naming every bad field
 */
export function readRegistration(body: unknown): RegistrationRequest {
  const fields = new BodyReader(body);
  fields.text('userHash', LONGEST_HASH);
  const deviceType = fields.text('deviceType', 64)?.toLowerCase() ?? null;
  const request: RegistrationRequest = {
    appId: fields.name('appId'),
    userId: readUserId(fields),
    deviceType,
    ...readDeviceToken(fields, deviceType),
    osVersion: readVersion(fields, 'osVersion'),
    clientVersion: readVersion(fields, 'clientVersion') ?? readVersion(fields, 'appVersion'),
    launchCount: fields.integer('launchCount', 0, MOST_LAUNCHES),
    launchTime: fields.time('launchTime'),
    installDate: fields.time('installDate'),
    channels: readSubscriptions(fields),
    timeZone: fields.text('timeZone', 255),
    locale: fields.text('locale', 255),
    location: readLocation(fields),
    realtime: fields.boolean('realtime') ?? false,
    protected: fields.boolean('protected') ?? false,
    installReferrer: fields.text('installReferrer', 4 * LONGEST_TEXT),
    clickToken: fields.text('clickToken', LONGEST_TEXT),
    userAgent: readUserAgent(fields),
    rest: normalisedTexts(fields.rest(KNOWN)),
    names: fields.names().flatMap((name) => (fields.raw(name) === undefined ? [] : (normaliseText(name) ?? name))),
  };
  if (Buffer.byteLength(JSON.stringify(request.rest)) > LARGEST_REST_BYTES) {
    fields.problems.add('', `must not hold more than ${LARGEST_REST_BYTES} bytes in further fields`);
  }
  fields.finish();
  return request;
}

/** Further fields can be tested by segment rules, whose text is in Unicode NFC. */
function normalisedTexts(rest: JsonObject): JsonObject {
  const normalise = ([name, value]: [string, JsonValue]): [string, JsonValue] => [
    normaliseText(name) ?? name,
    typeof value === 'string' ? (normaliseText(value) ?? value) : value,
  ];
  return Object.fromEntries(Object.entries(rest).map(normalise));
}

/** `*` addresses everybody in a send, so nobody can be called that. */
function readUserId(fields: BodyReader): string {
  const userId = fields.requiredName('userId');
  if (userId === '*') fields.reject('userId', 'must not be *');
  return userId;
}

/** Kept as it comes, among the further fields too: a strange one is no mistake of the device. */
function readUserAgent(fields: BodyReader): string | null {
  const value = fields.raw('userAgent');
  return typeof value === 'string' && value !== '' ? value.slice(0, LONGEST_TEXT) : null;
}

/** A version is text; devices also send a bare number. */
function readVersion(fields: BodyReader, name: string): string | null {
  const value = fields.raw(name);
  return typeof value === 'number' ? String(value) : fields.text(name, 255);
}

function readSubscriptions(fields: BodyReader): Channel[] | null {
  const channels = fields.list<Channel>('subscriptions', MOST_SUBSCRIPTIONS, (value) => {
    const channel = typeof value === 'string' ? parseSubscription(value) : null;
    return channel ? { value: channel } : { problem: NO_CHANNEL };
  });
  return channels && [...new Set(channels)].filter((channel) => !DEFAULT_CHANNELS.includes(channel));
}

function readLocation(fields: BodyReader): { latitude: number; longitude: number } | null {
  const value = fields.raw('location');
  if (value === undefined) return null;
  const location = new BodyReader(value, 'location', fields.problems);
  const latitude = location.number('lat', -90, 90);
  const longitude = location.number('lng', -180, 180);
  location.require('lat', 'lng');
  return latitude === null || longitude === null ? null : { latitude, longitude };
}
