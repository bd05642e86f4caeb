import { type Executor, rows } from '../database/executor';
import type { UserTags } from '../users/lock-user.query';
import { type Installation, INSTALLATION_COLUMNS } from './installation';
import { type Registration, REGISTRATION_CHANGES, registrationParameters } from './registration';
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
  const made = await rows<RegisteredInstallation>(
    executor,
    `INSERT INTO installations (app_id, installation_id, user_id, user_since, tags, tag_values, device_type, push_type, token,
       token_status, token_registered_at, os_version, os_version_key, client_version, client_version_key, launch_count,
       launch_time, install_date, channels, registration, time_zone, locale, latitude, longitude, realtime, protected,
       created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5::text[], $6::jsonb, $7, $8, $9, $10,
       CASE WHEN $9::text IS NOT NULL THEN $4::timestamptz END, $11, $12, $13, $14, coalesce($15::bigint, 1),
       coalesce($16::timestamptz, $4), coalesce($17::timestamptz, $4), coalesce($18::text[], '{}'), $19::jsonb, $20, $21, $22,
       $23, $24, $25, $4, $4)
     ON CONFLICT (app_id, push_type, ${tokenKey('push_type', 'token')}) WHERE token IS NOT NULL
     DO UPDATE SET ${REGISTRATION_CHANGES}
     RETURNING ${INSTALLATION_COLUMNS}, ${CHANGED_HANDS}`,
    registrationParameters(appId, installationId, sent, owner, at),
  );
  const installation = made[0];
  if (!installation) throw new Error('An installation was written and is not there');
  return installation;
}
