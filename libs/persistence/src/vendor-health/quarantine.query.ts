import { type Executor, rows } from '../database/executor';
import type { DeadToken } from '../devices/dead-token';
import { RECORD_REMOVED_TOKENS } from '../webhooks/record-removed-tokens';
import type { VendorKey } from './vendor-troubles.query';

/** What became of tokens that were called dead: how many were looked at, and how many of them were switched off. */
export interface DeadTokensEnd {
  taken: number;
  switchedOff: number;
}

/**
 * Notes tokens that a vendor called dead. Each is switched off at `dueAt` (`switchOffDueTokens`), unless the quarantine of its
 * application at this vendor stands by then or the vendor takes it back. A token that is noted already keeps its time.
 *
 * @param tokens one a device
 * @returns the devices of which this is news
 */
export async function noteDeadTokens(
  executor: Executor,
  { appId, vendor }: VendorKey,
  tokens: readonly DeadToken[],
  now: Date,
  dueAt: Date,
): Promise<number[]> {
  const noted = await rows<{ id: string }>(executor, NOTE, [
    appId,
    vendor,
    tokens.map(({ deviceId }) => deviceId),
    tokens.map(({ token }) => token),
    tokens.map(({ registeredAt }) => registeredAt),
    tokens.map(({ deadSince }) => deadSince),
    tokens.map(({ isSilent }) => isSilent ?? false),
    now,
    dueAt,
  ]);
  return noted.map(({ id }) => Number(id));
}

/** Forgets that tokens were called dead: the vendor has taken something for them since. @returns how many */
export async function takeBackDeadTokens(
  executor: Executor,
  { appId, vendor }: VendorKey,
  deviceIds: readonly number[],
): Promise<number> {
  const alive = await rows(
    executor,
    `DELETE FROM quarantined_tokens WHERE app_id = $1 AND vendor = $2 AND device_id = ANY ($3::bigint[]) RETURNING 1`,
    [appId, vendor, deviceIds],
  );
  return alive.length;
}

/** By which shares of dead answers a quarantine begins. */
export interface SuspiciousAnswers {
  /** Of the answers that raised the suspicion. */
  share: number;
  normalShare: number;
}

/**
 * Begins the quarantine of an application at a vendor: none of the tokens that were called dead and are not switched off
 * yet goes, nor any that follows, until the operator decides. Tells the webhooks that ask for it.
 *
 * @returns how many tokens are in it; null when it stood already
 */
export async function beginQuarantine(
  executor: Executor,
  { appId, vendor }: VendorKey,
  { share, normalShare }: SuspiciousAnswers,
  now: Date,
): Promise<number | null> {
  const event = { vendor, share, normalShare, since: now.toISOString() };
  const [begun] = await rows<{ count: number }>(executor, BEGIN, [
    ...[appId, vendor, now, share, normalShare],
    JSON.stringify(event),
  ]);
  return begun?.count ?? null;
}

/**
 * Ends a quarantine: the dead answers so far are decided about, and raise no suspicion any more. The vendor is believed until
 * `trustedUntil`, if given. The tokens themselves go with `applyQuarantine` or `releaseQuarantine`.
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
    `WITH ended AS (
       UPDATE vendor_troubles
       SET quarantined_since = NULL, quarantined_share = NULL, quarantined_normal_share = NULL,
         watch_excess = 0, watch_drift = 0, watch_answers = 0, watch_dead = 0, trusted_until = coalesce($3, trusted_until)
       WHERE app_id = $1 AND vendor = $2 AND (quarantined_since IS NOT NULL OR watch_drift > 0
         OR EXISTS (SELECT 1 FROM quarantined_tokens WHERE app_id = $1 AND vendor = $2))
       RETURNING app_id
     ), decided AS (
       UPDATE token_answers t SET dead = 0, silent_dead = 0
       FROM ended WHERE t.app_id = ended.app_id AND t.vendor = $2 AND (t.dead > 0 OR t.silent_dead > 0)
     )
     SELECT 1 FROM ended`,
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
): Promise<DeadTokensEnd> {
  const [end] = await rows<DeadTokensEnd>(executor, switchOff('true'), [appId, vendor, now, limit]);
  return end ?? { taken: 0, switchedOff: 0 };
}

/**
 * Switches off up to `limit` tokens whose time has come, with the same care. The caller has made sure, in the same
 * transaction, that no quarantine stands (`lockTokenWatch`).
 */
export async function switchOffDueTokens(
  executor: Executor,
  { appId, vendor }: VendorKey,
  now: Date,
  limit: number,
): Promise<DeadTokensEnd> {
  const [end] = await rows<DeadTokensEnd>(executor, switchOff('due_at <= $3'), [appId, vendor, now, limit]);
  return end ?? { taken: 0, switchedOff: 0 };
}

/** Applications and vendors of which tokens are due to be switched off, and no quarantine stands. */
export async function findDueTokens(executor: Executor, now: Date, limit: number): Promise<VendorKey[]> {
  return rows<VendorKey>(
    executor,
    `SELECT t.app_id AS "appId", t.vendor FROM vendor_troubles t
     WHERE t.quarantined_since IS NULL AND EXISTS (
       SELECT 1 FROM quarantined_tokens q WHERE q.app_id = t.app_id AND q.vendor = t.vendor AND q.due_at <= $1
     )
     LIMIT $2`,
    [now, limit],
  );
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

const NOTE = `
  INSERT INTO quarantined_tokens AS q
    (app_id, vendor, device_id, token_hash, registered_at, dead_since, is_silent, quarantined_at, due_at)
  SELECT a.app_id, $2, dead.id, sha256(convert_to(dead.token, 'UTF8')), dead.registered_at, dead.dead_since,
    dead.is_silent, $8, $9
  FROM unnest($3::bigint[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::boolean[])
    AS dead (id, token, registered_at, dead_since, is_silent)
  JOIN applications a ON a.app_id = $1
  ON CONFLICT (app_id, vendor, device_id) DO UPDATE
  SET token_hash = excluded.token_hash, registered_at = excluded.registered_at, dead_since = excluded.dead_since,
    is_silent = excluded.is_silent, quarantined_at = excluded.quarantined_at, due_at = excluded.due_at
  WHERE (q.token_hash, q.registered_at) IS DISTINCT FROM (excluded.token_hash, excluded.registered_at)
  RETURNING device_id AS id`;

const BEGIN = `
  WITH begun AS (
    INSERT INTO vendor_troubles AS t (app_id, vendor, quarantined_since, quarantined_share, quarantined_normal_share)
    SELECT app_id, $2, $3, $4, $5 FROM applications WHERE app_id = $1
    ON CONFLICT (app_id, vendor) DO UPDATE
    SET quarantined_since = $3, quarantined_share = $4, quarantined_normal_share = $5
    WHERE t.quarantined_since IS NULL
    RETURNING app_id
  ), counted AS (
    SELECT begun.app_id, (SELECT count(*)::int FROM quarantined_tokens WHERE app_id = $1 AND vendor = $2) AS count
    FROM begun
  ), told AS (
    INSERT INTO webhook_events (app_id, webhook_id, type, data)
    SELECT w.app_id, w.webhook_id, 'tokens.quarantined',
      ($6::jsonb || jsonb_build_object('count', counted.count))::json
    FROM counted
    JOIN webhooks w ON w.app_id = counted.app_id AND w.is_enabled AND 'tokens.quarantined' = ANY (w.events)
  )
  SELECT count FROM counted`;

/** `$1` application, `$2` vendor, `$3` now, `$4` limit. */
function switchOff(condition: string): string {
  return `
  WITH taken AS (
    DELETE FROM quarantined_tokens WHERE app_id = $1 AND vendor = $2 AND device_id IN (
      SELECT device_id FROM quarantined_tokens WHERE app_id = $1 AND vendor = $2 AND ${condition} LIMIT $4
    )
    RETURNING device_id, token_hash, registered_at, dead_since, quarantined_at, is_silent
  ), off AS (
    UPDATE installations i
    SET token_status = 'INVALID', updated_at = $3
    FROM taken
    WHERE i.app_id = $1 AND i.id = taken.device_id AND i.push_type = $2
      AND sha256(convert_to(i.token, 'UTF8')) = taken.token_hash
      AND i.token_registered_at IS NOT DISTINCT FROM taken.registered_at
      AND (i.token_registered_at IS NULL OR i.token_registered_at <= coalesce(taken.dead_since, taken.quarantined_at))
      AND i.token_status IS DISTINCT FROM 'INVALID'
    RETURNING i.installation_id, i.user_id, i.push_type, taken.is_silent
  ), told AS (${RECORD_REMOVED_TOKENS}), believed AS (
    INSERT INTO token_answers AS t (app_id, vendor, hour, believed)
    SELECT a.app_id, $2, date_trunc('hour', $3::timestamptz), (SELECT count(*) FROM off WHERE NOT is_silent)
    FROM applications a WHERE a.app_id = $1 AND EXISTS (SELECT 1 FROM off WHERE NOT is_silent)
    ON CONFLICT (app_id, vendor, hour) DO UPDATE SET believed = t.believed + excluded.believed
  )
  SELECT (SELECT count(*)::int FROM taken) AS taken, (SELECT count(*)::int FROM off) AS "switchedOff"`;
}
