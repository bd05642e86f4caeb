import type { Channel, JsonObject, PushVendor } from '@postrider/domain';
import { tokenKey } from './token-key';
import { proofWith, userProof } from './user-proof';

/** The full state that a device registers, ready to be stored. Null: the device did not say. */
export interface Registration {
  userId: string;
  /** Whether the user is proved, by its hash or by the application's backend. */
  isProved: boolean;
  deviceType: string | null;
  pushType: PushVendor | null;
  token: string | null;
  tokenStatus: string | null;
  osVersion: string | null;
  osVersionKey: string | null;
  clientVersion: string | null;
  clientVersionKey: string | null;
  launchCount: number | null;
  launchTime: Date | null;
  installDate: Date | null;
  /** Memberships beside the default ones. Null leaves them as they are (none, when the device changes hands). */
  channels: Channel[] | null;
  /** Every other field, as it came. */
  registration: JsonObject;
  timeZone: string | null;
  locale: string | null;
  latitude: number | null;
  longitude: number | null;
  realtime: boolean;
  protected: boolean;
}

/** A registration on its way to its installation. */
export interface SentRegistration {
  /** The installation that the device names, or the id that it gets if it is a new one. */
  installationId: string;
  /** Whether the device names it. Otherwise the vendor token says which it is. */
  isNamed: boolean;
  sent: Registration;
}

/**
 * The columns that hold what a device says, each with its type, the field it comes from, and what it gets when the device
 * did not say: on a new installation, on a known one. `$3` is the moment of the registration.
 */
const COLUMNS: readonly [name: string, type: string, field: keyof Registration, unsaid?: [string, string]][] = [
  ['user_id', 'text', 'userId'],
  ['device_type', 'text', 'deviceType'],
  ['push_type', 'text', 'pushType'],
  ['token', 'text', 'token'],
  ['token_status', 'text', 'tokenStatus'],
  ['os_version', 'text', 'osVersion'],
  ['os_version_key', 'text', 'osVersionKey'],
  ['client_version', 'text', 'clientVersion'],
  ['client_version_key', 'text', 'clientVersionKey'],
  ['launch_count', 'bigint', 'launchCount', ['1', 'installations.launch_count']],
  ['launch_time', 'timestamptz', 'launchTime', ['$3', '$3']],
  ['install_date', 'timestamptz', 'installDate', ['$3', 'installations.install_date']],
  ['registration', 'jsonb', 'registration'],
  ['time_zone', 'text', 'timeZone'],
  ['locale', 'text', 'locale'],
  ['latitude', 'float8', 'latitude'],
  ['longitude', 'float8', 'longitude'],
  ['realtime', 'boolean', 'realtime'],
  ['protected', 'boolean', 'protected'],
];

/** What `SENT` reads: one text, which PostgreSQL takes apart faster than an array for every column. */
export function sentJson(registrations: readonly SentRegistration[]): string {
  return JSON.stringify(
    registrations.map(({ installationId, isNamed, sent }) => ({
      id: installationId,
      is_named: isNamed,
      user_proof: userProof(sent.isProved),
      channels: sent.channels,
      ...Object.fromEntries(COLUMNS.map(([name, , field]) => [name, sent[field]])),
    })),
  );
}

/** A SELECT that gives the registrations of the parameter `$2` (`sentJson`), with the keys of their vendor tokens. */
export const SENT = `
  SELECT s.*, ${tokenKey('s.push_type', 's.token')} AS token_key FROM json_to_recordset($2::json)
    AS s (id uuid, is_named boolean, user_proof smallint, channels text[], ${COLUMNS.map(([name, type]) => `${name} ${type}`).join(', ')})`;

/** Columns and values of a new installation, from the FROM items `sent` and `owner`. */
export const INSERTED_COLUMNS = `app_id, installation_id, user_since, user_proof, tags, tag_values, channels, token_registered_at, created_at,
  updated_at, ${COLUMNS.map(([name]) => name).join(', ')}`;
export const INSERTED_VALUES = `$1::text, sent.id, $3::timestamptz, sent.user_proof, owner.tags, owner.tag_values, coalesce(sent.channels, '{}'),
  CASE WHEN sent.token IS NOT NULL THEN $3::timestamptz END, $3::timestamptz, $3::timestamptz, ${COLUMNS.map(
    ([name, , , unsaid]) => valueOf(name, unsaid?.[0]),
  ).join(', ')}`;

/**
 * The channels that a registration names, and those that the device's session subscribed to over its own connection: the
 * list may have been made before it did, and come after.
 */
const NAMED_AND_SUBSCRIBED = `sent.channels || ARRAY(
      SELECT channel FROM connection_sessions s CROSS JOIN unnest(s.channels) AS subscribed (channel)
      WHERE s.app_id = installations.app_id AND s.id = installations.id AND s.user_id = sent.user_id
        AND (s.expires_at IS NULL OR s.expires_at > $3) AND channel <> ALL (sent.channels))`;

/**
 * What a registration changes on an installation that exists, from the same FROM items. With another owner the device starts
 * anew: his tags, the channels that it names now, and `user_since`.
 */
export const CHANGES = `
  user_proof = CASE WHEN installations.user_id = sent.user_id THEN ${proofWith('sent.token', 'sent.user_proof')}
    ELSE sent.user_proof END,
  user_since = CASE WHEN installations.user_id = sent.user_id THEN installations.user_since ELSE $3::timestamptz END,
  channels = CASE WHEN sent.channels IS NOT NULL THEN ${NAMED_AND_SUBSCRIBED}
    WHEN installations.user_id = sent.user_id THEN installations.channels ELSE '{}' END,
  tags = owner.tags, tag_values = owner.tag_values, updated_at = $3,
  token_registered_at = CASE WHEN sent.token IS NOT NULL THEN $3::timestamptz END,
  ${COLUMNS.map(([name, , , unsaid]) => `${name} = ${valueOf(name, unsaid?.[1])}`).join(', ')}`;

function valueOf(column: string, unsaid: string | undefined): string {
  return unsaid === undefined ? `sent.${column}` : `coalesce(sent.${column}, ${unsaid})`;
}
