import type { PushVendor, StoredRegistration } from '@postrider/domain';
import { userProof } from '../devices/user-proof';
import { holderOf, TOKEN_KEY, tokenKey } from '../devices/token-key';
import { identifier, joined, literal, parameter, sql, type Sql } from '../sql';

/** A device that a file names. */
export interface DeviceToImport extends Omit<StoredRegistration, 'realtime' | 'protected'> {
  /** The last line of the file that names it. */
  line: number;
  /** The id for a new device. */
  installationId: string;
  /** True if the file names no user: a device that has a user keeps them. */
  isGuest: boolean;
  pushType: PushVendor;
  token: string;
  /**
   * When these facts were true: a device that registered later keeps its own. Null: unknown, every registration is
   * later.
   */
  at: Date | null;
  /**
   * If several lines have the token: when the device was launched according to the first one. Absent: there is one
   * line.
   */
  firstLaunch?: Date;
  /** True if the device had another owner in between: then it has only the channels that are named here. */
  startsAnew?: boolean;
}

/** Devices of a file, each vendor token once. */
interface DevicesToImport {
  appId: string;
  devices: readonly DeviceToImport[];
  now: Date;
  /** The fingerprint of the file; null: unknown. */
  file: number | null;
}

/** The device that has a vendor token. */
export interface TokenHolder {
  userId: string;
  /** True if only imports have registered it. */
  isImported: boolean;
  /** When the token was registered; null: unknown. */
  registeredAt: Date | null;
  /** The line of the same file that wrote it last; null: none. */
  writtenTo: number | null;
}

/**
 * The result for a device of a file that was not created; `missed`: it was registered by another request at the same
 * moment.
 */
export interface ImportedDeviceOutcome {
  installationId: string;
  outcome: 'updated' | 'unchanged' | 'missed';
  /** The id of the device (`installations.id`) if it got another owner; else null. */
  handedOver: string | null;
}

const COLUMNS = sql`id uuid, user_id text, is_guest boolean, push_type text, token text, token_status text, device_type text,
  os_version text, os_version_key text, client_version text, client_version_key text, launch_count bigint,
  launch_time timestamptz, install_date timestamptz, channels text[], registration jsonb, time_zone text, locale text,
  latitude float8, longitude float8, at timestamptz, first_launch timestamptz, starts_anew boolean, line bigint`;

/** The registration time of a token if the file has none: long ago, so that the token may have died by itself since. */
const LONG_AGO = sql`to_timestamp(0)`;
/** True if the last registration of the token was an import. */
const IS_IMPORTED = sql`(imported_at IS NOT NULL AND imported_at IS NOT DISTINCT FROM token_registered_at)`;
const PROVED = literal(userProof(true));

/** The columns for which a file may have values. */
const SAID = [
  'device_type',
  'os_version',
  'os_version_key',
  'client_version',
  'client_version_key',
  'launch_count',
  'launch_time',
  'install_date',
  'time_zone',
  'locale',
  'latitude',
  'longitude',
].map(identifier);

/** The token of the file if it says more than the app's own: a token of APNs may differ in its capitals. */
const NEW_TOKEN = sql`CASE WHEN i.push_type = 'apns' THEN i.token ELSE k.token END`;

/** The line of a file that wrote a device last. @param file its fingerprint */
function writtenTo(file: number | null): Sql {
  return sql`CASE WHEN imported_file = ${parameter(file, 'bigint')} THEN imported_line END AS written_to`;
}

/** The columns of a new device. */
const ADDED = sql`app_id, installation_id, user_id, user_since, user_proof, tags, tag_values, device_type, push_type, token,
  token_status, token_registered_at, imported_at, imported_file, imported_line, os_version, os_version_key,
  client_version, client_version_key, launch_count, launch_time, install_date, channels, registration, time_zone,
  locale, latitude, longitude, created_at, updated_at`;

/**
 * The changes by a file on installation `i`, from `news k`. Columns without a value in the file stay. A device that
 * keeps its user has the tags of the user already, and newer ones than this statement sees if they were changed while it
 * waited for the device: the user of a guest is not locked.
 */
const CHANGES = sql`user_id = k.new_user, user_proof = ${PROVED}, token = ${NEW_TOKEN},
  user_since = CASE WHEN i.user_id = k.new_user THEN i.user_since ELSE k.now END,
  token_status = CASE WHEN i.token_status = 'INVALID' THEN i.token_status ELSE k.token_status END,
  token_registered_at = CASE WHEN k.is_imported THEN k.said_at ELSE i.token_registered_at END,
  imported_at = CASE WHEN k.is_imported THEN k.said_at ELSE i.imported_at END, imported_file = k.file, imported_line = k.line,
  tags = CASE WHEN i.user_id = k.new_user THEN i.tags ELSE k.owner_tags END,
  tag_values = CASE WHEN i.user_id = k.new_user THEN i.tag_values ELSE k.owner_tag_values END,
  channels = CASE WHEN i.user_id <> k.new_user OR k.starts_anew THEN coalesce(k.channels, '{}')
    WHEN k.channels IS NULL THEN i.channels
    ELSE ARRAY(SELECT DISTINCT unnest(i.channels || k.channels) COLLATE "C" ORDER BY 1) END,
  registration = CASE WHEN i.user_id = k.new_user THEN i.registration ELSE i.registration - 'isGuest' END || k.registration,
  ${joined(
    SAID.map((column) => sql`${column} = coalesce(k.${column}, i.${column})`),
    ', ',
  )}`;

/** True if one of the values in the file is new. */
const HAS_NEWS = sql`(i.user_id <> k.new_user OR i.token <> ${NEW_TOKEN}
  OR (i.token_status IS DISTINCT FROM k.token_status AND i.token_status IS DISTINCT FROM 'INVALID')
  OR NOT i.channels @> coalesce(k.channels, '{}') OR (k.starts_anew AND NOT coalesce(k.channels, '{}') @> i.channels) OR NOT i.registration @> k.registration
  OR ${joined(
    SAID.map((column) => sql`i.${column} IS DISTINCT FROM coalesce(k.${column}, i.${column})`),
    ' OR ',
  )})`;

/**
 * Returns a statement that imports devices, each vendor token once: it creates installations, or updates those that
 * have the token. A device that its app registered later than the facts of the file keeps its own. A device that its
 * app registered earlier keeps the time of that registration, because later lines are compared with it too. A device
 * that this line or a later one of the same file has written stays as it is. Columns without a value in the file stay.
 * Gives an `ImportedDeviceOutcome` for each device that was not created; most devices of an import are created. A device
 * that was missed exists when it is imported again. The caller has locked the users.
 *
 * The series in `news` has one row. PostgreSQL expects a thousand, and so joins `news` with the devices by a hash. It would expect
 * one changed device otherwise, and read all changed devices again for each of them.
 */
export function importDevicesStatement(asked: DevicesToImport): Sql {
  const file = parameter(asked.file, 'bigint');
  const appId = parameter(asked.appId, 'text');
  const now = parameter(asked.now, 'timestamptz');
  return sql`
    WITH read AS MATERIALIZED (
      SELECT s.*, ${tokenKey(sql`s.push_type`, sql`s.token`)} AS token_key, coalesce(s.at, ${LONG_AGO}) AS said_at
      FROM json_to_recordset(${sentJson(asked.devices)}::json) AS s (${COLUMNS})
    ), added AS (
      INSERT INTO installations (${ADDED})
      SELECT ${appId}, r.id, r.user_id, ${now}, ${PROVED}, owner.tags, owner.tag_values, r.device_type, r.push_type, r.token,
        r.token_status, r.said_at, r.said_at, ${file}, r.line, r.os_version, r.os_version_key, r.client_version, r.client_version_key,
        coalesce(r.launch_count, 1), coalesce(r.launch_time, r.first_launch, r.install_date, ${now}), coalesce(r.install_date, ${now}),
        coalesce(r.channels, '{}'), r.registration, r.time_zone, r.locale, r.latitude, r.longitude, ${now}, ${now}
      FROM read r JOIN users owner ON owner.app_id = ${appId} AND owner.user_id = r.user_id
      ORDER BY r.push_type COLLATE "C", CASE r.push_type WHEN 'apns' THEN lower(r.token COLLATE "C") ELSE r.token END COLLATE "C"
      ON CONFLICT DO NOTHING
      RETURNING installation_id
    ), found AS MATERIALIZED (
      SELECT read.id AS asked, i.id
      FROM read CROSS JOIN LATERAL ${holderOf({ appId, pushType: sql`read.push_type`, key: sql`read.token_key` }, sql`id`)} i
      WHERE read.id NOT IN (SELECT installation_id FROM added)
    ), held AS MATERIALIZED (
      SELECT id, user_id, push_type, ${TOKEN_KEY} AS token_key,
        ${IS_IMPORTED} AS is_imported, token_registered_at, ${writtenTo(asked.file)}
      FROM installations
      WHERE app_id = ${appId} AND token IS NOT NULL AND id = ANY (ARRAY(SELECT id FROM found))
      ORDER BY id FOR NO KEY UPDATE
    ), known AS MATERIALIZED (
      SELECT read.*, held.id AS device_id, held.user_id AS former_user, held.is_imported,
        CASE WHEN read.is_guest THEN held.user_id ELSE read.user_id END AS new_user,
        ${now} AS now, ${file} AS file, 1 AS once, (held.written_to IS NULL OR read.line > held.written_to)
          AND (held.is_imported OR (held.token_registered_at IS NOT NULL AND read.at > held.token_registered_at)) AS is_newer
      FROM found JOIN held ON held.id = found.id JOIN read ON read.id = found.asked
      WHERE held.push_type = read.push_type AND held.token_key = read.token_key
    ), news AS MATERIALIZED (
      SELECT k.*, owner.tags AS owner_tags, owner.tag_values AS owner_tag_values
      FROM known k CROSS JOIN LATERAL (
        SELECT * FROM installations WHERE app_id = ${appId} AND id = k.device_id LIMIT 1
      ) i CROSS JOIN LATERAL (
        SELECT tags, tag_values FROM users WHERE app_id = ${appId} AND user_id = k.new_user LIMIT 1
      ) owner CROSS JOIN LATERAL generate_series(1, k.once)
      WHERE k.is_newer AND ${HAS_NEWS}
    ), changed AS (
      UPDATE installations i SET ${CHANGES}, updated_at = ${now}
      FROM news k
      WHERE i.app_id = ${appId} AND i.id = ANY (ARRAY(SELECT device_id FROM news)) AND i.id = k.device_id
      RETURNING k.id, CASE WHEN k.former_user <> k.new_user THEN k.device_id END AS handed_over
    )
    SELECT id AS "installationId", 'updated' AS outcome, handed_over::text AS "handedOver" FROM changed
    UNION ALL SELECT id, 'unchanged', NULL FROM known WHERE id NOT IN (SELECT id FROM changed)
    UNION ALL SELECT id, 'missed', NULL FROM read
    WHERE id NOT IN (SELECT installation_id FROM added) AND id NOT IN (SELECT id FROM known)`;
}

function sentJson(devices: readonly DeviceToImport[]): string {
  return JSON.stringify(
    devices.map((device) => ({
      id: device.installationId,
      line: device.line,
      user_id: device.userId,
      is_guest: device.isGuest,
      at: said(device.at),
      push_type: device.pushType,
      token: device.token,
      token_status: said(device.tokenStatus),
      device_type: said(device.deviceType),
      os_version: said(device.osVersion),
      os_version_key: said(device.osVersionKey),
      client_version: said(device.clientVersion),
      client_version_key: said(device.clientVersionKey),
      launch_count: said(device.launchCount),
      launch_time: said(device.launchTime),
      install_date: said(device.installDate),
      channels: said(device.channels),
      registration: device.registration,
      time_zone: said(device.timeZone),
      locale: said(device.locale),
      latitude: said(device.latitude),
      longitude: said(device.longitude),
      first_launch: said(device.firstLaunch),
      starts_anew: said(device.startsAnew),
    })),
  );
}

/** Returns undefined for a missing value, which JSON leaves out: PostgreSQL parses every member that is there. */
function said<T>(value: T | null | undefined): T | undefined {
  return value ?? undefined;
}

/**
 * Returns a statement that gives a `TokenHolder` and its place for each of these vendor tokens that an installation
 * has.
 */
export function holdersOfTokensStatement(asked: {
  appId: string;
  tokens: readonly Pick<DeviceToImport, 'pushType' | 'token'>[];
  file: number | null;
}): Sql {
  const appId = parameter(asked.appId, 'text');
  const key = tokenKey(sql`read.push_type`, sql`read.token`);
  const facts = sql`user_id, ${IS_IMPORTED} AS is_imported, token_registered_at, ${writtenTo(asked.file)}`;
  return sql`
    SELECT read.place::int AS place, i.user_id AS "userId", i.is_imported AS "isImported",
      i.token_registered_at AS "registeredAt", i.written_to::float8 AS "writtenTo"
    FROM unnest(
        ${asked.tokens.map(({ pushType }) => pushType)}::text[], ${asked.tokens.map(({ token }) => token)}::text[]
      ) WITH ORDINALITY AS read (push_type, token, place)
    CROSS JOIN LATERAL ${holderOf({ appId, pushType: sql`read.push_type`, key }, facts)} i`;
}
