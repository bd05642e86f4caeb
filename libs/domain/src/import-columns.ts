import { type CsvSeparator, csvSeparatorOf } from './csv-cells';

/** The known formats of files of devices, which need no mapping. */
export const IMPORT_FORMATS = ['onesignal', 'parse', 'sns', 'pinpoint', 'webpush', 'tokens'] as const;

/** The members that hold the list in a JSON document of one of the formats. */
export const IMPORT_LISTS = {
  listNames: ['results', 'Endpoints', 'players'],
  /** Those of them that also hold a list in the pages of an array. Of the others a device may have a list of that name. */
  pageNames: ['Endpoints'],
} as const;

/** One of them; `mapping`: the caller says what each column contains. */
export type ImportFormat = (typeof IMPORT_FORMATS)[number] | 'mapping';

/**
 * The names by which a format is recognised: of columns, or of an object's members. The first format with all its names
 * present counts.
 */
const MARKS: readonly [ImportFormat, readonly string[]][] = [
  ['onesignal', ['identifier', 'device_type']],
  ['sns', ['EndpointArn']],
  ['sns', ['token', 'user data']],
  ['pinpoint', ['ChannelType', 'Address']],
  ['webpush', ['endpoint']],
  ['webpush', ['subscription']],
  ['parse', ['deviceToken', 'deviceType']],
  ['parse', ['installationId', 'deviceType']],
  ['tokens', ['token']],
];

/** The format whose objects have these members, or null. */
export function recogniseMembers(members: readonly string[]): ImportFormat | null {
  const present = new Set(members);
  return MARKS.find(([, names]) => names.every((name) => present.has(name)))?.[0] ?? null;
}

/** The format with these columns of CSV, in upper or lower case, or null. */
export function recogniseHeader(columns: readonly string[]): ImportFormat | null {
  const present = new Set(columns.map((column) => column.toLowerCase()));
  return MARKS.find(([, names]) => names.every((name) => present.has(name.toLowerCase())))?.[0] ?? null;
}

/** Shorter texts are names of columns rather than tokens of a vendor. */
const TOKEN_LENGTH = 20;
/** The id of a user or a device in other systems. No vendor gives such tokens. */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * True if a CSV record can be the first line of a list without a header: a token, which has digits, and possibly a
 * user.
 *
 * @param leastLength of the token; shorter than usual for a file that its sender calls a list of tokens
 */
export function looksLikeToken(cells: readonly string[], leastLength = TOKEN_LENGTH): boolean {
  const [token = '', userId = ''] = cells;
  if (cells.length > 2 || recogniseHeader(cells.map((cell) => cell.trim())) !== null) return false;
  if (userId.length > 255 || hasTokenSecond(cells)) return false;
  return isLongToken(tokenOf(token) ?? '', leastLength);
}

function isLongToken(text: string, leastLength: number): boolean {
  return text.length >= leastLength && (leastLength < TOKEN_LENGTH || !UUID.test(text));
}

/** A token of a vendor is not shorter, and the id of a user hardly ever longer. */
const LONG_TOKEN_LENGTH = 64;

/** True if the first line of a list without a header has its token in the second column, as `SELECT user_id, token` writes it. */
export function hasTokenSecond(cells: readonly string[]): boolean {
  const [first = '', second = ''] = cells;
  const token = tokenOf(second) ?? '';
  return cells.length === 2 && token.length >= LONG_TOKEN_LENGTH && token.length > first.trim().length;
}

/** The text of a cell that can be a token, which has digits, without its brackets; or null. */
function tokenOf(cell: string): string | null {
  const [, text = ''] = /^<?([\w:.=/+ -]+)>?$/.exec(cell.trim()) ?? [];
  return /\d/.test(text) ? text : null;
}

/** What is wrong with a token of Expo. */
export const EXPO_TOKEN =
  'is a token of Expo, which only Expo can send to; import the token of FCM or APNs (getDevicePushTokenAsync)';

/** True for a token of Expo's push service. No vendor of ours knows it, but in a list it looks like one of FCM. */
export function isExpoToken(token: string): boolean {
  return /^Expo(?:nent)?PushToken\[/.test(token.trim());
}

/**
 * The separator of a CSV file of devices by its first record, unless a line before it names one.
 *
 * @param mapped the columns that a mapping names
 * @param hasHeader true if the first record names the columns; otherwise they are numbered from 1
 */
export function importSeparatorOf(record: string, mapped: readonly string[], hasHeader: boolean): CsvSeparator {
  return csvSeparatorOf(record, (cells) => {
    const isThere = (column: string): boolean => (hasHeader ? cells.includes(column) : Number(column) <= cells.length);
    if (mapped.length > 0 && mapped.every(isThere)) return true;
    return recogniseHeader(cells) !== null || looksLikeToken(cells);
  });
}

/** The names of the user in lists of tokens and of Web Push subscriptions; the first one that a record has counts. */
export const LISTED_USERS = ['userId', 'user_id', 'user', 'external_id', 'external_user_id'] as const;

/**
 * The columns that are read from CSV files, in the spelling of each format. A mapping names columns in the spelling of
 * the file.
 */
export const IMPORT_COLUMNS: Readonly<Record<ImportFormat, readonly string[]>> = {
  onesignal: [
    ...['identifier', 'device_type', 'device_os', 'device_model', 'app_version', 'game_version', 'session_count'],
    ...['last_active', 'created_at', 'language', 'timezone_id', 'timezone', 'location', 'country', 'ad_id', 'playtime'],
    ...['amount_spent', 'badge_count', 'tags', 'external_user_id', 'external_id', 'invalid_identifier'],
    ...['notification_types', 'subscribed', 'web_p256', 'web_auth'],
  ],
  parse: [
    ...['deviceType', 'deviceToken', 'pushType', 'channels', 'timeZone', 'localeIdentifier', 'appVersion', 'user'],
    ...[
      '_id',
      'objectId',
      'createdAt',
      '_created_at',
      'updatedAt',
      '_updated_at',
      'ACL',
      '_rperm',
      '_wperm',
      '_acl',
      '_p_user',
    ],
    ...['installationId', '__type', 'className', 'GCMSenderId', 'userId'],
  ],
  sns: ['EndpointArn', 'Attributes', 'Token', 'Enabled', 'CustomUserData', 'user data'],
  pinpoint: [
    ...[
      'ChannelType',
      'Address',
      'EndpointStatus',
      'OptOut',
      'EffectiveDate',
      'CreationDate',
      'Location',
      'Demographic',
    ],
    ...[
      'Attributes',
      'Metrics',
      'User',
      'User.UserId',
      'User.UserAttributes',
      'Location.Latitude',
      'Location.Longitude',
    ],
    ...['Location.Country', 'Location.City', 'Demographic.AppVersion', 'Demographic.PlatformVersion'],
    ...['Demographic.Model', 'Demographic.Make', 'Demographic.Locale', 'Demographic.Timezone'],
  ],
  webpush: [
    ...['subscription', 'pushSubscription', 'deviceToken', 'token', 'endpoint', 'keys', 'p256dh', 'auth'],
    ...['keys.p256dh', 'keys.auth', 'public_key', 'auth_token', 'p256dh_key', 'auth_key', 'key_p256dh', 'key_auth'],
    ...['subscribable_type', 'subscribable_id'],
    ...LISTED_USERS,
  ],
  tokens: ['token', ...LISTED_USERS],
  mapping: [],
};
/** Columns that begin like this are read, whatever follows. */
export const IMPORT_PREFIXES: Partial<Record<ImportFormat, readonly string[]>> = {
  pinpoint: ['Attributes.', 'User.UserAttributes.', 'Metrics.'],
};

/**
 * The columns of a CSV file that a format does not read, in the order of the file. Parse's further columns are all kept as
 * further fields.
 */
export function unreadColumns(format: ImportFormat, columns: readonly string[]): string[] {
  if (format === 'parse' || format === 'mapping') return [];
  const read = new Set(IMPORT_COLUMNS[format].map((name) => name.toLowerCase()));
  const prefixes = (IMPORT_PREFIXES[format] ?? []).map((prefix) => prefix.toLowerCase());
  return columns.filter((column) => {
    const name = column.trim().toLowerCase();
    return name !== '' && !read.has(name) && !prefixes.some((prefix) => name.startsWith(prefix));
  });
}
