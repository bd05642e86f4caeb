import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, type Database, type Executor, rows } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import { hasInName, parameter, sql } from '../sql';
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

  /** Deletes up to `limit` digests of visitors of days before `before`. @returns the number of deleted digests */
  async deleteOldVisitors(before: Date, limit: number): Promise<number> {
    const gone = await rows(
      this.database,
      sql`DELETE FROM tracker_visitors WHERE (app_id, tracker_id, day, visitor) IN (
            SELECT app_id, tracker_id, day, visitor FROM tracker_visitors
            WHERE day < (${before}::timestamptz AT TIME ZONE 'UTC')::date LIMIT ${limit}
          ) RETURNING 1`,
    );
    return gone.length;
  }
}
