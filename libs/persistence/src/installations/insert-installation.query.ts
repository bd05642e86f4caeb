import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import { lockUserSql, type UserTags } from '../users/lock-user.query';
import { type Installation, INSTALLATION_COLUMNS } from './installation';
import { type Registration, registrationChanges, registrationParameters } from './registration';
import { tokenKey } from './token-key';

/** A registered installation, and whether it came from another user just now. */
export type RegisteredInstallation = Installation & { changedHands: boolean };

/** An installation belongs to its present owner since the moment of this registration, and existed before it. */
export const CHANGED_HANDS = `(user_since = $4 AND installations.created_at <> $4) AS "changedHands"`;

/**
 * Registers a device: a new installation, or, when its vendor token is known, that installation with its id. Two
 * registrations of one token at the same time give one installation.
 *
 * @param installationId the id of the installation if it is a new one
 * @param owner the user's tags, from `lockUser` in the same transaction
 */
export async function insertInstallation(
  executor: Executor,
  appId: string,
  installationId: string,
  sent: Registration,
  owner: UserTags,
  at: Date,
): Promise<RegisteredInstallation> {
  const [made] = await preparedRows<RegisteredInstallation>(
    executor,
    insertFrom('(SELECT $24::text[] AS tags, $25::jsonb AS tag_values)'),
    registrationParameters(appId, installationId, sent, owner, at),
  );
  if (!made) throw new Error('An installation was written and is not there');
  return made;
}

/**
 * The same in a statement of its own, for a device that is new or its user's already: the user is made if there is none,
 * and he and his tags are held by the statement itself.
 *
 * @returns null when the token is another user's device; its former owner has to be seen to (`insertInstallation`)
 */
export async function insertOwnInstallation(
  executor: Executor,
  appId: string,
  installationId: string,
  sent: Registration,
  at: Date,
): Promise<RegisteredInstallation | null> {
  const made = await preparedRows<RegisteredInstallation>(
    executor,
    `WITH ${lockUserSql({ app: '$1', user: '$3', at: '$4' })} ${insertFrom('locked', 'WHERE installations.user_id = $3')}`,
    registrationParameters(appId, installationId, sent, null, at),
  );
  return made[0] ?? null;
}

/**
 * @param owner a FROM item of one row: the tags of the user
 * @param condition which installation that has the token may be changed
 */
function insertFrom(owner: string, condition = ''): string {
  return `
    INSERT INTO installations (app_id, installation_id, user_id, user_since, tags, tag_values, device_type, push_type, token,
      token_status, token_registered_at, os_version, os_version_key, client_version, client_version_key, launch_count,
      launch_time, install_date, channels, registration, time_zone, locale, latitude, longitude, realtime, protected,
      created_at, updated_at)
    SELECT $1::text, $2::uuid, $3::text, $4::timestamptz, owner.tags, owner.tag_values, $5::text, $6::text, $7::text, $8::text,
      CASE WHEN $7::text IS NOT NULL THEN $4::timestamptz END, $9::text, $10::text, $11::text, $12::text,
      coalesce($13::bigint, 1), coalesce($14::timestamptz, $4), coalesce($15::timestamptz, $4), coalesce($16::text[], '{}'),
      $17::jsonb, $18::text, $19::text, $20::float8, $21::float8, $22::boolean, $23::boolean, $4::timestamptz, $4::timestamptz
    FROM ${owner} owner
    ON CONFLICT (app_id, push_type, ${tokenKey('push_type', 'token')}) WHERE token IS NOT NULL
    DO UPDATE SET ${registrationChanges({ tags: 'excluded.tags', tagValues: 'excluded.tag_values' })} ${condition}
    RETURNING ${INSTALLATION_COLUMNS}, ${CHANGED_HANDS}`;
}
