import { type Executor, rows } from '../database/executor';

/** What a new installation shows of the click that led to it. */
export interface DeferredClaim {
  /** From the token that it was handed; null when it was handed none. */
  tokenKey: Buffer | null;
  /** Null unless the application wants matching by address, and the address is known. */
  addressKey: Buffer | null;
  platform: string;
  osMajor: number | null;
  /** Of a browser's user agent; null when only the app's own is known. */
  agentKey: Buffer | null;
}

/**
 * Takes the deep link that waits for a new installation: the one that its token names, else, when the application wants that,
 * the latest one clicked from its address on such a device. It is taken once: of two installations at the same moment one gets
 * it.
 *
 * @returns null when none waits
 */
export async function takeDeferredLink(
  executor: Executor,
  appId: string,
  deviceId: string,
  claim: DeferredClaim,
  now: Date,
): Promise<string | null> {
  const taken = await rows<{ deepLink: string }>(executor, TAKE_DEFERRED_LINK, [
    appId,
    deviceId,
    claim.tokenKey,
    claim.addressKey,
    claim.platform,
    claim.osMajor,
    claim.agentKey,
    now,
  ]);
  return taken[0]?.deepLink ?? null;
}

const TAKE_DEFERRED_LINK = `
  WITH found AS (
    SELECT token_key, 'token' AS matched_by FROM (
      SELECT token_key FROM deferred_links
      WHERE app_id = $1 AND token_key = $3::bytea AND expires_at > $8::timestamptz FOR UPDATE SKIP LOCKED
    ) named
    UNION ALL
    SELECT token_key, 'address' FROM (
      SELECT token_key FROM deferred_links
      WHERE app_id = $1 AND address_key = $4::bytea AND expires_at > $8::timestamptz AND platform = $5::text
        AND (os_major IS NULL OR $6::integer IS NULL OR os_major = $6::integer)
        AND (agent_key IS NULL OR $7::bytea IS NULL OR agent_key = $7::bytea)
      ORDER BY clicked_at DESC LIMIT 1 FOR UPDATE SKIP LOCKED
    ) nearby
    LIMIT 1
  ), taken AS (
    DELETE FROM deferred_links d USING found WHERE d.app_id = $1 AND d.token_key = found.token_key
    RETURNING d.tracker_id, d.deep_link, d.platform, d.clicked_at, found.matched_by
  ), handed AS (
    INSERT INTO deferred_handovers (app_id, device_id, tracker_id, deep_link, platform, matched_by, clicked_at, handed_at)
    SELECT $1, $2::bigint, tracker_id, deep_link, platform, matched_by, clicked_at, $8 FROM taken
    ON CONFLICT DO NOTHING
  ), counted AS (
    INSERT INTO tracker_counts AS t (app_id, tracker_id, kind, hour, platform, count)
    SELECT $1, tracker_id, 'install', date_trunc('hour', $8::timestamptz, 'UTC'), platform, 1 FROM taken
    ON CONFLICT (app_id, tracker_id, kind, hour, platform) DO UPDATE SET count = t.count + 1
  )
  SELECT deep_link AS "deepLink" FROM taken`;

/**
 * Records what an app decided about the deferred link that it was handed. The first decision stands.
 *
 * @returns whether the installation was handed one
 */
export async function decideDeferredLink(
  executor: Executor,
  appId: string,
  deviceId: string,
  opened: boolean,
  now: Date,
): Promise<boolean> {
  const found = await rows(
    executor,
    `WITH handed AS (
       SELECT 1 FROM deferred_handovers WHERE app_id = $1 AND device_id = $2::bigint
     ), decided AS (
       UPDATE deferred_handovers SET opened = $3::boolean, decided_at = $4
       WHERE app_id = $1 AND device_id = $2::bigint AND opened IS NULL RETURNING tracker_id, platform
     ), counted AS (
       INSERT INTO tracker_counts AS t (app_id, tracker_id, kind, hour, platform, count)
       SELECT $1, tracker_id, CASE WHEN $3::boolean THEN 'opened' ELSE 'declined' END, date_trunc('hour', $4::timestamptz, 'UTC'),
         platform, 1 FROM decided
       ON CONFLICT (app_id, tracker_id, kind, hour, platform) DO UPDATE SET count = t.count + 1
     )
     SELECT 1 FROM handed`,
    [appId, deviceId, opened, now],
  );
  return found.length > 0;
}

/** Whether an application wants deferred links matched by network address. */
export async function findMatchByAddress(executor: Executor, appId: string): Promise<boolean> {
  const found = await rows<{ matchByAddress: boolean }>(
    executor,
    `SELECT match_by_address AS "matchByAddress" FROM applications WHERE app_id = $1`,
    [appId],
  );
  return found[0]?.matchByAddress ?? false;
}
