import {
  type Channel,
  DEFAULT_CHANNELS,
  type JsonObject,
  type JsonValue,
  normaliseText,
  parseSubscription,
  type StoredRegistration,
  versionSortKey,
} from '@postrider/domain';
import { fieldNames, fieldOf, FromAllSent, Optional, Rule, SaysOfClass } from '../validation/field';
import { IsFlag, IsListOf, IsName, IsNumberFrom, IsText, IsTime, IsWholeNumber } from '../validation/fields';
import { IsNested } from '../validation/nested';
import type { Reading } from '../validation/reading';
import { readBoolean, readTextUpTo } from '../validation/values';
import { IsUserId } from '../validation/user-identity';
import { IsDeviceToken, VendorTokenFields, vendorTokenOf } from './vendor-token.request';

export type { StoredRegistration } from '@postrider/domain';

const MOST_SUBSCRIPTIONS = 1_000;
const LONGEST_TEXT = 1_024;
const LONGEST_VERSION = 255;
const VERSION_SCHEMA = { oneOf: [{ type: 'string', maxLength: LONGEST_VERSION }, { type: 'number' }] };
/**
 * The most bytes of unknown fields. They are stored with every installation, so a device must not store a book there.
 */
const LARGEST_REST_BYTES = 16_384;
/** Fields of an answer that clients send back. They are not state that a device may set. */
const OF_ANSWERS = ['id', 'tags', 'userInfo', 'createdAt', 'updatedAt'];

/** The location of a device. */
export class LocationRequest {
  @IsNumberFrom(-90, 90) lat!: number;
  @IsNumberFrom(-180, 180) lng!: number;
}

/** The full state of an installation, as a device registers it. */
@SaysOfClass({
  description: 'The full state of the installation. Unknown fields are kept.',
  additionalProperties: true,
  examples: [
    {
      userId: 'ada',
      deviceType: 'android',
      deviceToken: 'fX2k…',
      osVersion: '15',
      clientVersion: '4.2.0',
      subscriptions: ['default', 'public/sport', 'alerts'],
      timeZone: 'Europe/Amsterdam',
      locale: 'nl',
      realtime: true,
    },
  ],
})
export class RegistrationRequest extends VendorTokenFields {
  @Optional() @IsName('must be the application of the access token, if it is sent') appId?: string;
  @IsUserId() userId!: string;
  @Optional() @IsDeviceToken() deviceToken?: string | null;
  @Optional() @IsVersion() osVersion?: string;
  @Optional() @IsVersion() clientVersion?: string;

  @Optional()
  @IsOtherVersion()
  @Rule<RegistrationRequest>(({ clientVersion, appVersion }) =>
    clientVersion === undefined && appVersion !== undefined ? problemOfVersion(appVersion) : null,
  )
  appVersion?: JsonValue;

  @Optional() @IsWholeNumber(0, Number.MAX_SAFE_INTEGER) launchCount?: number;
  @Optional() @IsTime() launchTime?: Date;
  @Optional() @IsTime() installDate?: Date;

  /** Includes the default channels, if they are named. */
  @Optional()
  @IsListOf(readSubscription, {
    items: { type: 'string', description: 'alerts and private/alerts are the same; public/sport' },
    max: MOST_SUBSCRIPTIONS,
    isSet: true,
  })
  subscriptions?: Channel[];

  @Optional() @IsText(255, 'such as Europe/Amsterdam') timeZone?: string;
  @Optional() @IsText(255, 'such as nl-NL') locale?: string;
  @Optional() @IsNested(() => LocationRequest) location?: LocationRequest;
  @Optional() @IsFlag() realtime?: boolean;
  @Optional() @IsFlag() protected?: boolean;
  @Optional() @IsFlag() isGuest?: boolean;
  @Optional() @IsFlag() isLoggedIn?: boolean;
  @Optional() @IsFlag() newInstall?: boolean;

  @Optional()
  @IsText(4 * LONGEST_TEXT, 'the referrer from the Play Store, which leads to the link that was clicked before')
  installReferrer?: string;

  @Optional() @IsText(LONGEST_TEXT, 'the token of a click, if the app has it from elsewhere') clickToken?: string;
  @Optional() @IsUserAgent() userAgent?: string;

  /** Every other field, unchanged. */
  @FromAllSent(readRest) rest!: JsonObject;

  /** The names of all fields with a value. */
  @FromAllSent((sent) => ({ value: namesOf(sent) })) names!: string[];
}

/** These are kept among the further fields as booleans, in whichever spelling they come. */
const KEPT_FLAGS: ReadonlySet<string> = new Set(['isGuest', 'isLoggedIn', 'newInstall']);
const KNOWN = new Set([...fieldNames(RegistrationRequest.prototype), ...OF_ANSWERS]);
// The user agent is kept among the further fields too.
for (const kept of ['userAgent', ...KEPT_FLAGS]) KNOWN.delete(kept);

/** The part of a registration that is stored. */
export function registrationOf(request: RegistrationRequest): StoredRegistration {
  const { location, subscriptions, realtime = false, protected: isProtected = false, osVersion = null } = request;
  const clientVersion = clientVersionOf(request);
  return {
    userId: request.userId,
    deviceType: orNull(request.deviceType),
    ...vendorTokenOf(request),
    osVersion,
    osVersionKey: osVersion === null ? null : versionSortKey(osVersion),
    clientVersion,
    clientVersionKey: clientVersion === null ? null : versionSortKey(clientVersion),
    launchCount: orNull(request.launchCount),
    launchTime: orNull(request.launchTime),
    installDate: orNull(request.installDate),
    // Every installation is a member of the default channels.
    channels: orNull(subscriptions?.filter((channel) => !DEFAULT_CHANNELS.includes(channel))),
    registration: request.rest,
    timeZone: orNull(request.timeZone),
    locale: orNull(request.locale),
    latitude: orNull(location?.lat),
    longitude: orNull(location?.lng),
    realtime,
    protected: isProtected,
  };
}

function orNull<T>(value: T | undefined): T | null {
  return value ?? null;
}

/** The version of the app, under either name. */
export function clientVersionOf({ clientVersion, appVersion }: RegistrationRequest): string | null {
  const other = appVersion === undefined ? { value: undefined } : readVersion(appVersion);
  return clientVersion ?? ('value' in other ? other.value : undefined) ?? null;
}

function namesOf(sent: JsonObject): string[] {
  return Object.keys(sent)
    .filter((name) => sent[name] !== null)
    .map((name) => normaliseText(name) ?? name);
}

/** Segment rules can test further fields, so their text is in Unicode NFC. */
function readRest(sent: JsonObject): Reading<JsonObject> {
  const further: [string, JsonValue][] = [];
  for (const name of Object.keys(sent)) {
    const value = keptOf(name, sent[name] as JsonValue);
    if (value === null || KNOWN.has(name)) continue;
    further.push([normaliseText(name) ?? name, value]);
  }
  if (further.length === 0) return { value: {} };
  const rest = Object.fromEntries(further);
  if (isSmall(further) || Buffer.byteLength(JSON.stringify(rest)) <= LARGEST_REST_BYTES) return { value: rest };
  return { problem: `must not hold more than ${LARGEST_REST_BYTES} bytes in further fields` };
}

/** The value of a further field as it is stored. Null: it is not stored. */
function keptOf(name: string, value: JsonValue): JsonValue {
  if (typeof value === 'string' && !KEPT_FLAGS.has(name)) return normaliseText(value) ?? value;
  if (value === null || !KEPT_FLAGS.has(name)) return value;
  const reading = readBoolean(value);
  // Another value is refused under its name, see `IsFlag`.
  return 'value' in reading ? reading.value : null;
}

/** The most bytes of a character in JSON (`\u0001`), and of a number or boolean with the signs around a field. */
const MOST_CHARACTER_BYTES = 6;
const MOST_SCALAR_CHARACTERS = 8;

/** True if these fields cannot be too large, which is quicker to see than their JSON is made. */
function isSmall(fields: readonly (readonly [string, JsonValue])[]): boolean {
  let characters = 0;
  for (const [name, value] of fields) {
    if (typeof value === 'object') return false;
    characters += name.length + MOST_SCALAR_CHARACTERS + (typeof value === 'string' ? value.length : 0);
  }
  return characters * MOST_CHARACTER_BYTES <= LARGEST_REST_BYTES;
}

/** A version is text; devices also send a bare number. */
function IsVersion(): PropertyDecorator {
  return fieldOf({ name: 'isVersion', read: readVersion, schema: VERSION_SCHEMA });
}

/** Its value counts, and is checked, only without `clientVersion`. */
function IsOtherVersion(): PropertyDecorator {
  return fieldOf({
    name: 'isOtherVersion',
    read: (value) => ({ value: value as JsonValue }),
    schema: { ...VERSION_SCHEMA, description: 'another name of clientVersion, which takes precedence' },
  });
}

function readVersion(value: unknown): Reading<string | undefined> {
  return typeof value === 'number' ? { value: String(value) } : readTextUpTo(value, LONGEST_VERSION);
}

function problemOfVersion(value: JsonValue): string | null {
  const reading = readVersion(value);
  return 'problem' in reading ? reading.problem : null;
}

function readSubscription(value: unknown): Reading<Channel> {
  const channel = typeof value === 'string' ? parseSubscription(value) : null;
  if (channel !== null) return { value: channel };
  return {
    problem: 'must be a channel: 1 to 128 letters, digits, _ - . with or without public/ or private/ before them',
  };
}

/** A text that is not a user agent is not an error of the device: it is a further field. */
function IsUserAgent(): PropertyDecorator {
  return fieldOf({
    name: 'isUserAgent',
    read: (value) => ({ value: typeof value === 'string' ? value.slice(0, LONGEST_TEXT) || undefined : undefined }),
    schema: {
      type: 'string',
      description: 'the user agent of the browser, for applications that match clicks by network address',
    },
  });
}
