import { sql, type Sql, identifier, joined, type Parameter } from '../sql';
import type { StoredRegistration } from '@postrider/domain';
import { tokenKey } from './token-key';
import { proofWith, userProof } from './user-proof';

/** The full state that a device registers, ready to be stored. Null: the device did not report it. */
export interface Registration extends StoredRegistration {
  /** True if the user is proved, by the hash or by the application's backend. */
  isProved: boolean;
}

/** A registration that is about to be stored. */
export interface SentRegistration {
  /** The installation that the device names, or the id for a new installation. */
  installationId: string;
  /** True if the device names the installation. Otherwise the vendor token decides which installation it is. */
  isNamed: boolean;
  sent: Registration;
}

/** The value of a column that the device did not report: on a new installation, and on a known one. */
type Unsaid = (at: Parameter) => [inserted: Sql, changed: Sql];

/** The columns that hold what a device reports, each with its type and its field. */
const COLUMNS: readonly [name: string, type: string, field: keyof Registration, unsaid?: Unsaid][] = [
  ['user_id', 'text', 'userId'],
  ['device_type', 'text', 'deviceType'],
  ['push_type', 'text', 'pushType'],
  ['token', 'text', 'token'],
  ['token_status', 'text', 'tokenStatus'],
  ['os_version', 'text', 'osVersion'],
  ['os_version_key', 'text', 'osVersionKey'],
  ['client_version', 'text', 'clientVersion'],
  ['client_version_key', 'text', 'clientVersionKey'],
  ['launch_count', 'bigint', 'launchCount', () => [sql`1`, sql`installations.launch_count`]],
  ['launch_time', 'timestamptz', 'launchTime', (at) => [sql`${at}`, sql`${at}`]],
  ['install_date', 'timestamptz', 'installDate', (at) => [sql`${at}`, sql`installations.install_date`]],
  ['registration', 'jsonb', 'registration'],
  ['time_zone', 'text', 'timeZone'],
  ['locale', 'text', 'locale'],
  ['latitude', 'float8', 'latitude'],
  ['longitude', 'float8', 'longitude'],
  ['realtime', 'boolean', 'realtime'],
  ['protected', 'boolean', 'protected'],
];

const COLUMN_NAMES = joined(
  COLUMNS.map(([name]) => identifier(name)),
  ', ',
);
const COLUMN_TYPES = joined(
  COLUMNS.map(([name, type]) => sql`${identifier(name)} ${identifier(type)}`),
  ', ',
);

/** The input of `selectSent`: one text, which PostgreSQL parses faster than one array per column. */
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

/** A SELECT that gives the registrations of a `sentJson`, with the keys of their vendor tokens. */
export function selectSent(json: Parameter): Sql {
  return sql`
  SELECT s.*, ${tokenKey(sql`s.push_type`, sql`s.token`)} AS token_key FROM json_to_recordset(${json}::json)
    AS s (id uuid, is_named boolean, user_proof smallint, channels text[], ${COLUMN_TYPES})`;
}

/** The columns of a new installation; `insertedValues` are theirs. */
export const INSERTED_COLUMNS = sql`app_id, installation_id, user_since, user_proof, tags, tag_values, channels, token_registered_at, created_at,
  updated_at, ${COLUMN_NAMES}`;

/** The values of a new installation, from the FROM items `sent` (see `selectSent`) and `owner`. */
export function insertedValues({ appId, at }: { appId: Parameter; at: Parameter }): Sql {
  const said = COLUMNS.map(([name, , , unsaid]) => valueOf(name, unsaid?.(at)[0]));
  return sql`${appId}::text, sent.id, ${at}::timestamptz, sent.user_proof, owner.tags, owner.tag_values, coalesce(sent.channels, '{}'),
  CASE WHEN sent.token IS NOT NULL THEN ${at}::timestamptz END, ${at}::timestamptz, ${at}::timestamptz, ${joined(said, ', ')}`;
}

/**
 * The channels that a registration names, and those that the session of the device subscribed to: the app may have made
 * its list before the subscription, and sent it later. The function reads the session as it is once the device is
 * locked.
 */
function namedAndSubscribed(at: Parameter): Sql {
  return sql`sent.channels || ARRAY(
      SELECT channel FROM unnest(subscribed_channels(installations.app_id, installations.id, sent.user_id, ${at}))
        AS subscribed (channel)
      WHERE channel <> ALL (sent.channels))`;
}

/**
 * The changes of a registration to an existing installation, from the same FROM items. With another owner the device
 * starts anew: it gets their tags, the channels of this registration, and a new `user_since`.
 */
export function changesOf(at: Parameter): Sql {
  const said = COLUMNS.map(([name, , , unsaid]) => sql`${identifier(name)} = ${valueOf(name, unsaid?.(at)[1])}`);
  return sql`
  user_proof = CASE WHEN installations.user_id = sent.user_id THEN ${proofWith(sql`sent.token`, sql`sent.user_proof`)}
    ELSE sent.user_proof END,
  user_since = CASE WHEN installations.user_id = sent.user_id THEN installations.user_since ELSE ${at}::timestamptz END,
  channels = CASE WHEN sent.channels IS NOT NULL THEN ${namedAndSubscribed(at)}
    WHEN installations.user_id = sent.user_id THEN installations.channels ELSE '{}' END,
  tags = owner.tags, tag_values = owner.tag_values, updated_at = ${at},
  token_registered_at = CASE WHEN sent.token IS NOT NULL THEN ${at}::timestamptz END,
  ${joined(said, ', ')}`;
}

function valueOf(column: string, unsaid: Sql | undefined): Sql {
  const said = sql`sent.${identifier(column)}`;
  return unsaid === undefined ? said : sql`coalesce(${said}, ${unsaid})`;
}
