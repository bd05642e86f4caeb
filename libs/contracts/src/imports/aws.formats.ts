import type { JsonObject, PushVendor } from '@postrider/domain';
import {
  DENIED,
  entryOf,
  type FieldColumns,
  type FormatReading,
  isTrue,
  jsonOf,
  membersOf,
  saying,
  type SourceRecord,
  textOf,
  tokenFields,
  tokenIn,
  userIdOf,
} from './import-draft';

/** The platforms of SNS and the channel types of Pinpoint that can be pushed to. */
const PUSH_TYPES: Readonly<Record<string, { pushType: PushVendor; deviceType: string }>> = {
  GCM: { pushType: 'fcm', deviceType: 'android' },
  FCM: { pushType: 'fcm', deviceType: 'android' },
  APNS: { pushType: 'apns', deviceType: 'ios' },
  APNS_SANDBOX: { pushType: 'apns', deviceType: 'ios' },
  MACOS: { pushType: 'apns', deviceType: 'macos' },
  MACOS_SANDBOX: { pushType: 'apns', deviceType: 'macos' },
};
const EVERYTHING = 'ALL';

/** A column with a token, and its value. */
type TokenColumn = readonly [column: string, value: unknown];
type ReadToken = { fields: JsonObject } | Exclude<FormatReading, { draft: unknown }>;

/** The fields of a token of one of these types, or the reason why it has none. */
function pushOf(type: string, column: TokenColumn): ReadToken {
  const known = entryOf(PUSH_TYPES, type);
  if (known === undefined)
    return { skipped: `${type || 'a channel without a type'} is not a push service that can be used` };
  const read = tokenIn(...column);
  if (!('token' in read)) return read;
  const fields = tokenFields(known.pushType, read.token, known.deviceType);
  return { fields: type.endsWith('_SANDBOX') ? { ...fields, apnsEnvironment: 'sandbox' } : fields };
}

/** The names of SNS for fields that have another name in a registration. */
export const SNS_COLUMNS: FieldColumns = {
  deviceToken: ['Attributes.Token', 'Token', 'token'],
  pushType: ['EndpointArn'],
  snsEndpoint: ['EndpointArn'],
  customUserData: ['Attributes.CustomUserData', 'CustomUserData', 'user data'],
};

/** An endpoint of SNS in the form of `list-endpoints-by-platform-application`, or a row with its token. */
export function readSns(record: SourceRecord, listed: PushVendor | null): FormatReading {
  const arn = textOf(record.EndpointArn);
  const attributes = membersOf(record.Attributes);
  const columns: TokenColumn[] = [
    ['Attributes.Token', attributes.Token],
    ['Token', record.Token],
    ['token', record.token],
  ];
  const column: TokenColumn = columns.find(([, value]) => (value ?? '') !== '') ?? ['token', null];
  const enabled = textOf(attributes.Enabled ?? record.Enabled);
  const push = arn === null ? listedPush(listed, column) : pushOf(platformOf(arn), column);
  if (!('fields' in push)) return push;
  const isOff = enabled !== null && !isTrue(enabled);
  const customUserData = textOf(attributes.CustomUserData ?? record.CustomUserData ?? record['user data']);
  return {
    draft: {
      userId: null,
      fields: saying({ ...push.fields, ...(isOff ? DENIED : {}), snsEndpoint: arn, customUserData }),
      tags: {},
      attributes: {},
    },
  };
}

function listedPush(pushType: PushVendor | null, column: TokenColumn): ReadToken {
  const read = tokenIn(...column);
  if (!('token' in read)) return read;
  return pushType === null ? { skipped: 'has no token' } : { fields: tokenFields(pushType, read.token) };
}

/** The platform of `arn:aws:sns:eu-west-1:123:endpoint/GCM/shop/0a1b` is GCM. */
function platformOf(arn: string): string {
  return arn.slice(arn.lastIndexOf(':') + 1).split('/')[1] ?? '';
}

/** The names of Pinpoint for fields that have another name in a registration. */
export const PINPOINT_COLUMNS: FieldColumns = {
  deviceToken: ['Address'],
  pushType: ['ChannelType'],
  userId: ['User.UserId'],
  clientVersion: ['Demographic.AppVersion'],
  osVersion: ['Demographic.PlatformVersion'],
  deviceModel: ['Demographic.Model'],
  deviceManufacturer: ['Demographic.Make'],
  locale: ['Demographic.Locale'],
  timeZone: ['Demographic.Timezone'],
  location: ['Location'],
  'location.lat': ['Location.Latitude'],
  'location.lng': ['Location.Longitude'],
  country: ['Location.Country'],
  city: ['Location.City'],
  launchTime: ['EffectiveDate'],
  installDate: ['CreationDate'],
  attributes: ['User.UserAttributes', 'Attributes', 'Metrics'],
};

/** An endpoint of Pinpoint: an object, or a CSV row whose columns have dots. */
export function readPinpoint(record: SourceRecord): FormatReading {
  const part = (name: string): Record<string, unknown> => ({ ...membersOf(record[name]), ...dotted(record, name) });
  const push = pushOf((textOf(record.ChannelType) ?? '').toUpperCase(), ['Address', record.Address]);
  if (!('fields' in push)) return push;
  const [place, facts, user] = [part('Location'), part('Demographic'), part('User')];
  const isOff =
    textOf(record.EndpointStatus)?.toUpperCase() === 'INACTIVE' || textOf(record.OptOut)?.toUpperCase() === EVERYTHING;
  return {
    draft: {
      userId: userIdOf(user.UserId),
      fields: saying({
        ...push.fields,
        ...(isOff ? DENIED : {}),
        clientVersion: textOf(facts.AppVersion),
        osVersion: textOf(facts.PlatformVersion),
        deviceModel: textOf(facts.Model),
        deviceManufacturer: textOf(facts.Make),
        locale: textOf(facts.Locale),
        timeZone: textOf(facts.Timezone),
        location: locationOf(place),
        country: textOf(place.Country),
        city: textOf(place.City),
        launchTime: record.EffectiveDate,
        installDate: record.CreationDate,
      }),
      tags: {},
      attributes: {
        ...metricsOf(part('Metrics')),
        ...attributesOf(part('Attributes')),
        ...attributesOf({ ...membersOf(user.UserAttributes), ...dotted(user, 'UserAttributes') }),
      },
    },
  };
}

/** The columns `<name>.…` of a CSV row. */
function dotted(record: SourceRecord, name: string): Record<string, unknown> {
  const prefix = `${name}.`;
  const columns = Object.entries(record).filter(([column]) => column.startsWith(prefix));
  return Object.fromEntries(columns.map(([column, value]) => [column.slice(prefix.length), value]));
}

/** An incomplete or impossible place is reported later, when it is checked. */
function locationOf({ Latitude, Longitude }: Record<string, unknown>): JsonObject | null {
  const [lat, lng] = [textOf(Latitude), textOf(Longitude)];
  return lat === null && lng === null ? null : { lat, lng };
}

/** Lists of texts; in CSV as JSON, or as the only text of a list. */
function attributesOf(attributes: Record<string, unknown>): JsonObject {
  return saying(Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, listOf(value)])));
}

function listOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const list = value.trimStart().startsWith('[') ? jsonOf(value) : undefined;
  return list ?? [value];
}

/** Numbers, in CSV as text. */
function metricsOf(metrics: Record<string, unknown>): JsonObject {
  const read = Object.entries(metrics).map(([name, value]) => {
    const text = textOf(value);
    return [name, text === null || Number.isNaN(Number(text)) ? value : Number(text)];
  });
  return saying(Object.fromEntries(read) as Record<string, unknown>);
}
