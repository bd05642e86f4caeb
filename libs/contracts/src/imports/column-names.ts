import type { ImportFormat } from '@postrider/domain';
import { PARSE_FIELDS } from './parse.format';

/**
 * The columns that are read from CSV files, in the spelling of each format. A mapping names columns in the spelling of
 * the file.
 */
const COLUMNS: Readonly<Record<ImportFormat, readonly string[]>> = {
  onesignal: [
    ...['identifier', 'device_type', 'device_os', 'device_model', 'app_version', 'game_version', 'session_count'],
    ...['last_active', 'created_at', 'language', 'timezone_id', 'timezone', 'location', 'country', 'ad_id', 'playtime'],
    ...['amount_spent', 'badge_count', 'tags', 'external_user_id', 'external_id', 'invalid_identifier'],
    ...['notification_types', 'web_p256', 'web_auth'],
  ],
  parse: PARSE_FIELDS,
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
    ...['userId', 'user_id'],
  ],
  tokens: ['token', 'userId', 'user_id'],
  mapping: [],
};
/** Columns that begin like this are read, whatever follows. */
const PREFIXES: Partial<Record<ImportFormat, readonly string[]>> = {
  pinpoint: ['Attributes.', 'User.UserAttributes.', 'Metrics.'],
};

/**
 * The columns of a CSV file in the spelling of the format: `Device_Type` is `device_type`. Other columns do not change.
 * Neither does a column if another one already has the spelling of the format.
 *
 * @param columns their names in the header, in order
 */
export function columnsAsSpelled(format: ImportFormat, columns: readonly string[]): string[] {
  const spelled = new Map(COLUMNS[format].map((name) => [name.toLowerCase(), name]));
  const prefixes = PREFIXES[format] ?? [];
  const taken = new Set(columns);
  return columns.map((column) => {
    const name = spelled.get(column.toLowerCase()) ?? withPrefix(column, prefixes);
    if (taken.has(name)) return column;
    taken.add(name);
    return name;
  });
}

function withPrefix(column: string, prefixes: readonly string[]): string {
  const name = column.toLowerCase();
  const prefix = prefixes.find((one) => name.startsWith(one.toLowerCase())) ?? '';
  return prefix + column.slice(prefix.length);
}
