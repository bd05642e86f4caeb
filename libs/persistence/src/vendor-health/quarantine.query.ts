import { type Executor, rows } from '../database/executor';
import type { DeadToken } from '../installations/dead-token';
import { RECORD_REMOVED_TOKENS } from '../webhooks/record-removed-tokens';
import type { VendorKey } from './vendor-troubles.query';

/** What became of tokens that a vendor called dead. */
export interface DeadTokensEnd {
  switchedOff: number;
  quarantined: number;
}

/**
 * Switches dead tokens off, each only if the device still has that token from that registration, and did not register it
 * after the vendor's timestamp. Unless tokens of this application and vendor are in quarantine: then these join them. One
 * statement, so that a quarantine holds for all workers from the moment it begins.
 */
export async function removeDeadTokens(
  executor: Executor,
  { appId, vendor }: VendorKey,
  tokens: readonly DeadToken[],
  now: Date,
): Promise<DeadTokensEnd> {
  const [end] = await rows<DeadTokensEnd>(executor, REMOVE, [appId, vendor, ...columnsOf(tokens), now]);
  return end ?? { switchedOff: 0, quarantined: 0 };
}

/**
 * Puts tokens that a vendor called dead into quarantine: they stay on until the operator decides. The first ones tell the
 * webhooks that ask for it.
 *
 * @param share how many of the vendor's latest answers called a token dead, from 0 to 1
 * @returns whether the quarantine began with these
 */
export async function quarantineTokens(
  executor: Executor,
  { appId, vendor }: VendorKey,
  tokens: readonly DeadToken[],
  share: number,
  now: Date,
): Promise<boolean> {
  const event = { vendor, count: tokens.length, share, since: now.toISOString() };
  const begun = await rows(executor, QUARANTINE, [
    ...[appId, vendor, ...columnsOf(tokens), now],
    ...[share, JSON.stringify(event)],
  ]);
  return begun.length > 0;
}

/**
 * Begins to carry out what the vendor said: the quarantine is over, and the vendor is believed until `trustedUntil`. The
 * tokens themselves go with `applyQuarantine`.
 *
 * @returns whether there was a quarantine
 */
export async function endQuarantine(
  executor: Executor,
  { appId, vendor }: VendorKey,
  trustedUntil: Date | null,
): Promise<boolean> {
  const ended = await rows(
    executor,
    `UPDATE vendor_troubles
     SET quarantined_since = NULL, quarantined_share = NULL, trusted_until = coalesce($3, trusted_until)
     WHERE app_id = $1 AND vendor = $2 AND (quarantined_since IS NOT NULL
       OR EXISTS (SELECT 1 FROM quarantined_tokens WHERE app_id = $1 AND vendor = $2))
     RETURNING 1`,
    [appId, vendor, trustedUntil],
  );
  return ended.length > 0;
}

/**
 * Takes up to `limit` tokens out of quarantine and switches them off: each only if the device still has it from that
 * registration, and did not register it after the vendor's word.
 *
 * @returns how many were taken out, and how many of them switched off
 */
export async function applyQuarantine(
  executor: Executor,
  { appId, vendor }: VendorKey,
  now: Date,
  limit: number,
): Promise<{ taken: number; switchedOff: number }> {
  const [end] = await rows<{ taken: number; switchedOff: number }>(executor, APPLY, [appId, vendor, now, limit]);
  return end ?? { taken: 0, switchedOff: 0 };
}

/** Lets up to `limit` tokens out of quarantine; they stay on. @returns how many */
export async function releaseQuarantine(
  executor: Executor,
  { appId, vendor }: VendorKey,
  limit: number,
): Promise<number> {
  const released = await rows(
    executor,
    `DELETE FROM quarantined_tokens WHERE app_id = $1 AND vendor = $2 AND device_id IN (
       SELECT device_id FROM quarantined_tokens WHERE app_id = $1 AND vendor = $2 LIMIT $3
     )
     RETURNING 1`,
    [appId, vendor, limit],
  );
  return released.length;
}

/** Lets go what was put into quarantine before `before` and nobody decided about. @returns how many went */
export async function deleteOldQuarantines(executor: Executor, before: Date, limit: number): Promise<number> {
  const gone = await rows(
    executor,
    `DELETE FROM quarantined_tokens WHERE (app_id, vendor, device_id) IN (
       SELECT app_id, vendor, device_id FROM quarantined_tokens WHERE quarantined_at < $1
       ORDER BY quarantined_at LIMIT $2
     )
     RETURNING 1`,
    [before, limit],
  );
  return gone.length;
}

function columnsOf(tokens: readonly DeadToken[]): unknown[] {
  return [
    tokens.map(({ deviceId }) => deviceId),
    tokens.map(({ token }) => token),
    tokens.map(({ registeredAt }) => registeredAt),
    tokens.map(({ deadSince }) => deadSince),
  ];
}

/** `$1` application, `$2` vendor, `$3` to `$6` the tokens' columns, `$7` now. */
const DEAD = `unnest($3::bigint[], $4::text[], $5::timestamptz[], $6::timestamptz[])
  AS dead (id, token, registered_at, dead_since)`;

function quarantine(condition: string): string {
  return `INSERT INTO quarantined_tokens (app_id, vendor, device_id, token_hash, registered_at, dead_since, quarantined_at)
    SELECT $1, $2, dead.id, sha256(convert_to(dead.token, 'UTF8')), dead.registered_at, dead.dead_since, $7
    FROM ${DEAD}
    WHERE ${condition}
    ON CONFLICT (app_id, vendor, device_id) DO UPDATE SET token_hash = excluded.token_hash,
      registered_at = excluded.registered_at, dead_since = excluded.dead_since
    RETURNING 1`;
}

const REMOVE = `
  WITH standing AS MATERIALIZED (
    SELECT 1 FROM vendor_troubles WHERE app_id = $1 AND vendor = $2 AND quarantined_since IS NOT NULL
  ), off AS (
    UPDATE installations i
    SET token_status = 'INVALID', updated_at = $7
    FROM ${DEAD}
    WHERE i.app_id = $1 AND i.id = dead.id AND i.token = dead.token AND NOT EXISTS (SELECT 1 FROM standing)
      AND i.token_registered_at IS NOT DISTINCT FROM dead.registered_at
      AND (dead.dead_since IS NULL OR i.token_registered_at IS NULL OR i.token_registered_at <= dead.dead_since)
      AND i.token_status IS DISTINCT FROM 'INVALID'
    RETURNING i.installation_id, i.user_id, i.push_type
  ), told AS (${RECORD_REMOVED_TOKENS}), kept AS (${quarantine('EXISTS (SELECT 1 FROM standing)')})
  SELECT (SELECT count(*)::int FROM off) AS "switchedOff", (SELECT count(*)::int FROM kept) AS quarantined`;

const QUARANTINE = `
  WITH kept AS (${quarantine('true')}), begun AS (
    INSERT INTO vendor_troubles AS t (app_id, vendor, quarantined_since, quarantined_share)
    SELECT app_id, $2, $7, $8 FROM applications WHERE app_id = $1
    ON CONFLICT (app_id, vendor) DO UPDATE SET quarantined_since = $7, quarantined_share = $8
    WHERE t.quarantined_since IS NULL
    RETURNING app_id
  ), told AS (
    INSERT INTO webhook_events (app_id, webhook_id, type, data)
    SELECT w.app_id, w.webhook_id, 'tokens.quarantined', $9::json
    FROM begun JOIN webhooks w ON w.app_id = begun.app_id AND w.is_enabled AND 'tokens.quarantined' = ANY (w.events)
  )
  SELECT 1 FROM begun`;

const APPLY = `
  WITH taken AS (
    DELETE FROM quarantined_tokens WHERE app_id = $1 AND vendor = $2 AND device_id IN (
      SELECT device_id FROM quarantined_tokens WHERE app_id = $1 AND vendor = $2 LIMIT $4
    )
    RETURNING device_id, token_hash, registered_at, dead_since, quarantined_at
  ), off AS (
    UPDATE installations i
    SET token_status = 'INVALID', updated_at = $3
    FROM taken
    WHERE i.app_id = $1 AND i.id = taken.device_id AND i.push_type = $2
      AND sha256(convert_to(i.token, 'UTF8')) = taken.token_hash
      AND i.token_registered_at IS NOT DISTINCT FROM taken.registered_at
      AND (i.token_registered_at IS NULL OR i.token_registered_at <= coalesce(taken.dead_since, taken.quarantined_at))
      AND i.token_status IS DISTINCT FROM 'INVALID'
    RETURNING i.installation_id, i.user_id, i.push_type
  ), told AS (${RECORD_REMOVED_TOKENS})
  SELECT (SELECT count(*)::int FROM taken) AS taken, (SELECT count(*)::int FROM off) AS "switchedOff"`;
