import { Inject, Injectable } from '@nestjs/common';
import type { DeviceId } from '@postrider/domain';
import { DATABASE, type Database, type Executor, rows } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import { hasInName, parameter, type Sql, sql } from '../sql';
import { recordClicksStatement, type TrackerClick } from './record-clicks.statement';

/** The settings of a tracker. */
export interface TrackerSettings {
  name: string;
  deepLink: string | null;
  destination: string | null;
  redirect: string | null;
  /** By platform: ios, android, web. */
  platforms: Record<string, string>;
  allowedHosts: string[];
}

/** A tracker: a target of links that counts who follows them. */
export interface Tracker extends TrackerSettings {
  trackerId: string;
  createdAt: Date;
  updatedAt: Date;
}

/** The place of a tracker in the list: it stays one when the tracker is deleted. */
export type TrackerPlace = Pick<Tracker, 'createdAt' | 'trackerId'>;

/** A tracker with what a click needs, and what its application allows. */
export interface TrackerTarget extends Tracker {
  appId: string;
  linkHosts: string[];
  linkSchemes: string[];
  matchByAddress: boolean;
  deferredLinkMinutes: number;
}

const COLUMNS = sql`t.tracker_id AS "trackerId", t.name, t.deep_link AS "deepLink", t.destination, t.redirect, t.platforms,
  t.allowed_hosts AS "allowedHosts", t.created_at AS "createdAt", t.updated_at AS "updatedAt"`;

/** How often something happened with a tracker in one interval, on one platform. */
export interface TrackerCount {
  kind: 'click' | 'visit' | 'install' | 'opened' | 'declined';
  from: Date;
  platform: string;
  count: number;
}

/** What a new installation knows about the click that led to it. */
export interface DeferredClaim {
  /** From the token that it got. Null if it got none. */
  tokenKey: Buffer | null;
  /** Null unless the application wants matching by address, and the address is known. */
  addressKey: Buffer | null;
  platform: string;
  osMajor: number | null;
  /** Digest of the browser's user agent. Null if only the app's is known. */
  agentKey: Buffer | null;
}

/** The trackers of applications, and the clicks on them. */
@Injectable()
export class TrackersRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Adds a tracker, made at `at`. @returns null if a tracker of any application has that id */
  async insert(
    appId: string,
    { trackerId, ...settings }: TrackerSettings & { trackerId: string },
    at: Date,
    updatedAt = at,
  ): Promise<Tracker | null> {
    const made = await rows<Tracker>(
      this.database,
      sql`INSERT INTO trackers AS t (app_id, tracker_id, name, deep_link, destination, redirect, platforms, allowed_hosts,
            created_at, updated_at)
          VALUES (${appId}, ${trackerId}, ${settings.name}, ${settings.deepLink}, ${settings.destination},
            ${settings.redirect}, ${JSON.stringify(settings.platforms)}, ${settings.allowedHosts}, ${at}, ${updatedAt})
            ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
    );
    return made[0] ?? null;
  }

  /** Replaces the settings of a tracker. @returns null for an unknown tracker */
  async update(
    executor: Executor,
    appId: string,
    trackerId: string,
    settings: TrackerSettings,
    at: Date,
  ): Promise<Tracker | null> {
    const changed = await rows<Tracker>(
      executor,
      sql`UPDATE trackers t SET name = ${settings.name}, deep_link = ${settings.deepLink}, destination = ${settings.destination},
            redirect = ${settings.redirect}, platforms = ${JSON.stringify(settings.platforms)},
          allowed_hosts = ${settings.allowedHosts},
            updated_at = ${at}
          WHERE t.app_id = ${appId} AND t.tracker_id = ${trackerId} RETURNING ${COLUMNS}`,
    );
    return changed[0] ?? null;
  }

  /**
   * Deletes a tracker with its counts, its visitors and its waiting deferred links, in one step. @returns true if it
   * existed
   */
  async delete(appId: string, trackerId: string): Promise<boolean> {
    const app = parameter(appId);
    const tracker = parameter(trackerId);
    const gone = await rows(
      this.database,
      sql`WITH counts AS (
            DELETE FROM tracker_counts WHERE app_id = ${app} AND tracker_id = ${tracker}
          ), visitors AS (
            DELETE FROM tracker_visitors WHERE app_id = ${app} AND tracker_id = ${tracker}
          ), waiting AS (
            DELETE FROM deferred_links WHERE app_id = ${app} AND tracker_id = ${tracker}
          ), gone AS (
            DELETE FROM trackers WHERE app_id = ${app} AND tracker_id = ${tracker} RETURNING 1
          )
          SELECT 1 FROM gone`,
    );
    return gone.length > 0;
  }

  /** Locks a tracker until the transaction ends, so that the next write loses no change of another. Null: unknown. */
  async lock(executor: Executor, appId: string, trackerId: string): Promise<Tracker | null> {
    const found = await rows<Tracker>(
      executor,
      sql`SELECT ${COLUMNS} FROM trackers t WHERE t.app_id = ${appId} AND t.tracker_id = ${trackerId} FOR NO KEY UPDATE`,
    );
    return found[0] ?? null;
  }

  /** The tracker, or null. */
  async find(appId: string, trackerId: string): Promise<Tracker | null> {
    const found = await rows<Tracker>(
      this.database,
      sql`SELECT ${COLUMNS} FROM trackers t WHERE t.app_id = ${appId} AND t.tracker_id = ${trackerId}`,
    );
    return found[0] ?? null;
  }

  /**
   * Lists an application's trackers, newest first, at most `limit` after a place. Null: from the beginning.
   *
   * @param page.name only those with this text in their name
   */
  async list(
    appId: string,
    page: { name?: string | undefined; after: TrackerPlace | null; limit: number },
  ): Promise<Tracker[]> {
    const { name, after, limit } = page;
    const isAfter =
      after === null ? sql`true` : sql`(t.created_at, t.tracker_id) < (${after.createdAt}, ${after.trackerId})`;
    return rows<Tracker>(
      this.database,
      sql`SELECT ${COLUMNS} FROM trackers t WHERE t.app_id = ${appId} AND ${isAfter} AND ${hasInName(sql`t.name`, name)}
          ORDER BY t.created_at DESC, t.tracker_id DESC LIMIT ${limit}`,
    );
  }

  /** Finds trackers with what clicks need, of any application, because a link names none. Unknown ones are left out. */
  async findTargets(trackerIds: readonly string[]): Promise<TrackerTarget[]> {
    return rows<TrackerTarget>(
      this.database,
      sql`SELECT t.app_id AS "appId", ${COLUMNS}, a.link_hosts AS "linkHosts", a.link_schemes AS "linkSchemes",
            a.match_by_address AS "matchByAddress", a.deferred_link_minutes AS "deferredLinkMinutes"
          FROM trackers t JOIN applications a ON a.app_id = t.app_id
          WHERE t.tracker_id = ANY (${trackerIds}::text[])`,
    );
  }

  /**
   * Records clicks: counts them and the day's new visitors, and stores their deep links. Clicks on a deleted tracker
   * are ignored. A repeated call counts the clicks again.
   */
  async recordClicks(clicks: readonly TrackerClick[]): Promise<void> {
    await preparedRows(this.database, recordClicksStatement(clicks));
  }

  /** Counts what happened with a tracker in `[since, until)`, by `interval`, oldest first. */
  async count(
    appId: string,
    trackerId: string,
    { since, until, interval }: { since: Date; until: Date; interval: 'hour' | 'day' },
  ): Promise<TrackerCount[]> {
    return rows<TrackerCount>(
      this.database,
      sql`SELECT kind, date_trunc(${interval}, hour, 'UTC') AS "from", platform, sum(count)::float8 AS count FROM tracker_counts
          WHERE app_id = ${appId} AND tracker_id = ${trackerId} AND hour >= date_trunc('hour', ${since}::timestamptz,
            'UTC') AND hour < ${until}
          GROUP BY 1, 2, 3 ORDER BY 2, 1, 3`,
    );
  }

  /**
   * Claims the deep link that waits for a new installation: the one that its token names, or else, if the application
   * wants that, the latest one that was clicked from its address on such a device. A link is claimed once: one of two
   * installations at the same moment gets it.
   *
   * @returns null if none waits
   */
  async takeDeferredLink(appId: string, deviceId: DeviceId, claim: DeferredClaim, now: Date): Promise<string | null> {
    const app = parameter(appId);
    const osMajor = parameter(claim.osMajor);
    const agentKey = parameter(claim.agentKey);
    const moment = parameter(now);
    const taken = await rows<{ deepLink: string }>(
      this.database,
      sql`
        WITH found AS (
          SELECT token_key, 'token' AS matched_by FROM (
            SELECT token_key FROM deferred_links
            WHERE app_id = ${app} AND token_key = ${claim.tokenKey}::bytea
              AND expires_at > ${moment}::timestamptz FOR UPDATE SKIP LOCKED
          ) named
          UNION ALL
          SELECT token_key, 'address' FROM (
            SELECT token_key FROM deferred_links
            WHERE app_id = ${app} AND address_key = ${claim.addressKey}::bytea AND expires_at > ${moment}::timestamptz
              AND platform = ${claim.platform}::text
              AND (os_major IS NULL OR ${osMajor}::integer IS NULL OR os_major = ${osMajor}::integer)
              AND (agent_key IS NULL OR ${agentKey}::bytea IS NULL OR agent_key = ${agentKey}::bytea)
            ORDER BY clicked_at DESC LIMIT 1 FOR UPDATE SKIP LOCKED
          ) nearby
          LIMIT 1
        ), taken AS (
          DELETE FROM deferred_links d USING found WHERE d.app_id = ${app} AND d.token_key = found.token_key
          RETURNING d.tracker_id, d.deep_link, d.platform, d.clicked_at, found.matched_by
        ), handed AS (
          INSERT INTO deferred_handovers (app_id, device_id, tracker_id, deep_link, platform, matched_by, clicked_at, handed_at)
          SELECT ${app}, ${deviceId}::bigint, tracker_id, deep_link, platform, matched_by, clicked_at, ${moment} FROM taken
          ON CONFLICT DO NOTHING
        ), counted AS (
          INSERT INTO tracker_counts AS t (app_id, tracker_id, kind, hour, platform, count)
          SELECT ${app}, tracker_id, 'install', date_trunc('hour', ${moment}::timestamptz, 'UTC'), platform, 1 FROM taken
          ON CONFLICT (app_id, tracker_id, kind, hour, platform) DO UPDATE SET count = t.count + 1
        )
        SELECT deep_link AS "deepLink" FROM taken`,
    );
    return taken[0]?.deepLink ?? null;
  }

  /**
   * Records what an app decided about its deferred link. The first decision counts.
   *
   * @returns true if the installation had got one
   */
  async decideDeferredLink(appId: string, deviceId: DeviceId, opened: boolean, now: Date): Promise<boolean> {
    const app = parameter(appId);
    const device = parameter(deviceId);
    const isOpened = parameter(opened);
    const moment = parameter(now);
    const found = await rows(
      this.database,
      sql`WITH handed AS (
            SELECT 1 FROM deferred_handovers WHERE app_id = ${app} AND device_id = ${device}::bigint
          ), decided AS (
            UPDATE deferred_handovers SET opened = ${isOpened}::boolean, decided_at = ${moment}
            WHERE app_id = ${app} AND device_id = ${device}::bigint AND opened IS NULL RETURNING tracker_id, platform
          ), counted AS (
            INSERT INTO tracker_counts AS t (app_id, tracker_id, kind, hour, platform, count)
            SELECT ${app}, tracker_id, CASE WHEN ${isOpened}::boolean THEN 'opened' ELSE 'declined' END,
              date_trunc('hour', ${moment}::timestamptz, 'UTC'),
              platform, 1 FROM decided
            ON CONFLICT (app_id, tracker_id, kind, hour, platform) DO UPDATE SET count = t.count + 1
          )
          SELECT 1 FROM handed`,
    );
    return found.length > 0;
  }

  /** True if an application wants deferred links matched by network address. */
  async findMatchByAddress(appId: string): Promise<boolean> {
    const found = await rows<{ matchByAddress: boolean }>(
      this.database,
      sql`SELECT match_by_address AS "matchByAddress" FROM applications WHERE app_id = ${appId}`,
    );
    return found[0]?.matchByAddress ?? false;
  }

  /**
   * Deletes up to `limit` deferred links that nobody claimed in time. Safe to repeat. @returns the number of deleted
   * links
   */
  deleteExpiredLinks(before: Date, limit: number): Promise<number> {
    return this.#delete(sql`
      DELETE FROM deferred_links WHERE (app_id, token_key) IN (
        SELECT app_id, token_key FROM deferred_links WHERE expires_at <= ${before} LIMIT ${limit}
      ) RETURNING 1`);
  }

  /** Deletes up to `limit` digests of visitors of days before `before`. @returns the number of deleted digests */
  deleteOldVisitors(before: Date, limit: number): Promise<number> {
    return this.#delete(sql`
      DELETE FROM tracker_visitors WHERE (app_id, tracker_id, day, visitor) IN (
        SELECT app_id, tracker_id, day, visitor FROM tracker_visitors
        WHERE day < (${before}::timestamptz AT TIME ZONE 'UTC')::date LIMIT ${limit}
      ) RETURNING 1`);
  }

  /**
   * Deletes up to `limit` records of links that installations claimed before `before`. @returns the number of deleted
   * records
   */
  deleteOldClaimedLinks(before: Date, limit: number): Promise<number> {
    return this.#delete(sql`
      DELETE FROM deferred_handovers WHERE (app_id, device_id) IN (
        SELECT app_id, device_id FROM deferred_handovers WHERE handed_at < ${before} LIMIT ${limit}
      ) RETURNING 1`);
  }

  /** Deletes up to `limit` reports of opened links from before `before`. @returns the number of deleted reports */
  deleteOldLinkOpens(before: Date, limit: number): Promise<number> {
    return this.#delete(sql`
      DELETE FROM link_opens WHERE (app_id, id) IN (
        SELECT app_id, id FROM link_opens WHERE created_at < ${before} LIMIT ${limit}
      ) RETURNING 1`);
  }

  async #delete(statement: Sql): Promise<number> {
    return (await rows(this.database, statement)).length;
  }
}
