import { type Sql, sql } from '../sql';

/** A click on a tracker, or several of one visitor in one hour. */
export interface TrackerClick {
  appId: string;
  trackerId: string;
  at: Date;
  platform: string;
  /** A keyed digest of the visitor, valid for this day. */
  visitor: Buffer;
  /** What is kept for an app that may be installed after the click. Null: nothing. */
  deferred: DeferredClick | null;
  times: number;
}

/** A click whose deep link waits for an installation. */
export interface DeferredClick {
  tokenKey: Buffer;
  deepLink: string;
  osMajor: number | null;
  agentKey: Buffer | null;
  /** Only while the application wants matching by address. */
  addressKey: Buffer | null;
  expiresAt: Date;
}

/**
 * Counts clicks and the day's new visitors, and stores deep links. Every insert is in the order of its keys, so that
 * two gateways that write the same rows do not deadlock. The platform of a new visit is found by grouping: PostgreSQL
 * may underestimate a join of thousands of rows and run it as a nested loop.
 */
export function recordClicksStatement(clicks: readonly TrackerClick[]): Sql {
  const deferred = clicks.map((click) => click.deferred);
  return sql`
    WITH clicked AS MATERIALIZED (
      SELECT c.*, (c.at AT TIME ZONE 'UTC')::date AS day
      FROM unnest(
        ${clicks.map(({ appId }) => appId)}::text[],
        ${clicks.map(({ trackerId }) => trackerId)}::text[],
        ${clicks.map(({ at }) => at)}::timestamptz[],
        ${clicks.map(({ platform }) => platform)}::text[],
        ${clicks.map(({ visitor }) => visitor)}::bytea[],
        ${deferred.map((one) => one?.tokenKey ?? null)}::bytea[],
        ${deferred.map((one) => one?.deepLink ?? null)}::text[],
        ${deferred.map((one) => one?.osMajor ?? null)}::integer[],
        ${deferred.map((one) => one?.agentKey ?? null)}::bytea[],
        ${deferred.map((one) => one?.addressKey ?? null)}::bytea[],
        ${deferred.map((one) => one?.expiresAt ?? null)}::timestamptz[],
        ${clicks.map(({ times }) => times)}::integer[]
      )
        AS c (app_id, tracker_id, at, platform, visitor, token_key, deep_link, os_major, agent_key, address_key,
          expires_at, times)
      JOIN trackers t ON t.app_id = c.app_id AND t.tracker_id = c.tracker_id
    ), visits AS (
      INSERT INTO tracker_visitors (app_id, tracker_id, day, visitor)
      SELECT DISTINCT app_id, tracker_id, day, visitor FROM clicked ORDER BY 1, 2, 3, 4
      ON CONFLICT DO NOTHING RETURNING app_id, tracker_id, day, visitor
    ), kept AS (
      INSERT INTO deferred_links (app_id, token_key, tracker_id, deep_link, platform, os_major, agent_key, address_key,
        clicked_at, expires_at)
      SELECT app_id, token_key, tracker_id, deep_link, platform, os_major, agent_key, address_key, at, expires_at
      FROM clicked WHERE deep_link IS NOT NULL
      ON CONFLICT DO NOTHING
    ), first_clicks AS (
      SELECT app_id, tracker_id, min(at) AS at, min(platform) AS platform
      FROM (
        SELECT app_id, tracker_id, day, visitor, NULL::timestamptz AS at, NULL AS platform, true AS is_new FROM visits
        UNION ALL SELECT app_id, tracker_id, day, visitor, at, platform, false FROM clicked
      ) seen
      GROUP BY app_id, tracker_id, day, visitor HAVING bool_or(is_new)
    )
    INSERT INTO tracker_counts AS t (app_id, tracker_id, kind, hour, platform, count)
    SELECT app_id, tracker_id, kind, date_trunc('hour', at, 'UTC'), platform, sum(times)
    FROM (
      SELECT app_id, tracker_id, 'click' AS kind, at, platform, times FROM clicked
      UNION ALL SELECT app_id, tracker_id, 'visit', at, platform, 1 FROM first_clicks
    ) c
    GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (app_id, tracker_id, kind, hour, platform) DO UPDATE SET count = t.count + excluded.count`;
}
