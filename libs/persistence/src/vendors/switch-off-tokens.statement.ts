import { parameter, sql, type Sql } from '../sql';
import { insertTokenRemovedEvents } from '../webhooks/event-inserts';
import type { VendorKey } from './routes.repository';

/**
 * Takes tokens out of quarantine and switches those off that their device still has from that registration. It records
 * that (`removed_tokens`), sends an event to the webhooks that ask for it, and counts those that are not silent as
 * believed.
 *
 * It locks the installations first, in the order of their ids, like everybody who writes several of them. Whoever
 * removes installations deletes the notes about them afterwards.
 *
 * @param which a condition on `quarantined_tokens`
 */
export function switchOffTokensStatement({ appId, vendor }: VendorKey, now: Date, limit: number, which: Sql): Sql {
  const [app, vendorName, moment] = [parameter(appId), parameter(vendor), parameter(now)];
  return sql`
    WITH noted AS MATERIALIZED (
      SELECT device_id FROM quarantined_tokens WHERE app_id = ${app} AND vendor = ${vendorName} AND ${which} LIMIT ${limit}
    ), held AS MATERIALIZED (
      SELECT id FROM installations WHERE app_id = ${app} AND id = ANY (ARRAY(SELECT device_id FROM noted))
      ORDER BY id FOR NO KEY UPDATE
    ), taken AS (
      DELETE FROM quarantined_tokens WHERE app_id = ${app} AND vendor = ${vendorName}
        AND device_id IN (SELECT device_id FROM noted) AND (SELECT count(*) FROM held) >= 0
      RETURNING device_id, token_hash, registered_at, dead_since, quarantined_at, is_silent
    ), off AS (
      UPDATE installations i
      SET token_status = 'INVALID', updated_at = ${moment}
      FROM taken
      WHERE i.app_id = ${app} AND i.id = taken.device_id AND i.push_type = ${vendorName}
        AND sha256(convert_to(i.token, 'UTF8')) = taken.token_hash
        AND i.token_registered_at IS NOT DISTINCT FROM taken.registered_at
        AND (i.token_registered_at IS NULL OR i.token_registered_at <= coalesce(taken.dead_since, taken.quarantined_at))
        AND i.token_status IS DISTINCT FROM 'INVALID'
      RETURNING i.id, i.installation_id, i.device_type, i.user_id, i.push_type, taken.is_silent, taken.quarantined_at
    ), recorded AS (
      INSERT INTO removed_tokens (app_id, device_id, installation_id, device_type, user_id, dead_at)
      SELECT ${app}, id, installation_id, device_type, user_id, quarantined_at FROM off
    ), told AS (${insertTokenRemovedEvents({ app: sql`${app}`, off: sql`off` })}), believed AS (
      INSERT INTO token_answers AS t (app_id, vendor, hour, believed)
      SELECT a.app_id, ${vendorName}, date_trunc('hour', ${moment}::timestamptz, 'UTC'), (SELECT count(*) FROM off WHERE NOT is_silent)
      FROM applications a WHERE a.app_id = ${app} AND EXISTS (SELECT 1 FROM off WHERE NOT is_silent)
      ON CONFLICT (app_id, vendor, hour) DO UPDATE SET believed = t.believed + excluded.believed
    )
    SELECT (SELECT count(*)::int FROM taken) AS taken, (SELECT count(*)::int FROM off) AS "switchedOff"`;
}
