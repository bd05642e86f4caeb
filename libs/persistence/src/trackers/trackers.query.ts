import { type Executor, rows } from '../database/executor';

/** What an application's owner chose for a tracker. */
export interface TrackerSettings {
  name: string;
  deepLink: string | null;
  destination: string | null;
  redirect: string | null;
  /** By platform: ios, android, web. */
  platforms: Record<string, string>;
  allowedHosts: string[];
}

/** A tracker: the target of links that count who follows them. */
export interface Tracker extends TrackerSettings {
  trackerId: string;
  createdAt: Date;
  updatedAt: Date;
}

/** A tracker as a click needs it, with what its application allows. */
export interface TrackerTarget extends Tracker {
  appId: string;
  linkHosts: string[];
  linkSchemes: string[];
  matchByAddress: boolean;
  deferredLinkMinutes: number;
}

const COLUMNS = `t.tracker_id AS "trackerId", t.name, t.deep_link AS "deepLink", t.destination, t.redirect, t.platforms,
  t.allowed_hosts AS "allowedHosts", t.created_at AS "createdAt", t.updated_at AS "updatedAt"`;

/** @returns null when a tracker of any application has that id */
export async function insertTracker(
  executor: Executor,
  appId: string,
  { trackerId, ...settings }: TrackerSettings & { trackerId: string },
  at: Date,
): Promise<Tracker | null> {
  const made = await rows<Tracker>(
    executor,
    `INSERT INTO trackers AS t (app_id, tracker_id, name, deep_link, destination, redirect, platforms, allowed_hosts,
       created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
    [appId, trackerId, ...columnsOf(settings), at],
  );
  return made[0] ?? null;
}

/** Writes what an owner chose, whole. @returns null for an unknown tracker */
export async function updateTracker(
  executor: Executor,
  appId: string,
  trackerId: string,
  settings: TrackerSettings,
  at: Date,
): Promise<Tracker | null> {
  const changed = await rows<Tracker>(
    executor,
    `UPDATE trackers t SET name = $3, deep_link = $4, destination = $5, redirect = $6, platforms = $7, allowed_hosts = $8,
       updated_at = $9
     WHERE t.app_id = $1 AND t.tracker_id = $2 RETURNING ${COLUMNS}`,
    [appId, trackerId, ...columnsOf(settings), at],
  );
  return changed[0] ?? null;
}

/** Removes a tracker and its counts; deferred links that were clicked go too. @returns whether there was one */
export async function deleteTracker(executor: Executor, appId: string, trackerId: string): Promise<boolean> {
  const gone = await rows(
    executor,
    `WITH counts AS (
       DELETE FROM tracker_counts WHERE app_id = $1 AND tracker_id = $2
     ), visitors AS (
       DELETE FROM tracker_visitors WHERE app_id = $1 AND tracker_id = $2
     ), waiting AS (
       DELETE FROM deferred_links WHERE app_id = $1 AND tracker_id = $2
     ), gone AS (
       DELETE FROM trackers WHERE app_id = $1 AND tracker_id = $2 RETURNING 1
     )
     SELECT 1 FROM gone`,
    [appId, trackerId],
  );
  return gone.length > 0;
}

/** The tracker, or null. */
export async function findTracker(executor: Executor, appId: string, trackerId: string): Promise<Tracker | null> {
  const found = await rows<Tracker>(
    executor,
    `SELECT ${COLUMNS} FROM trackers t WHERE t.app_id = $1 AND t.tracker_id = $2`,
    [appId, trackerId],
  );
  return found[0] ?? null;
}

/** An application's trackers, newest first, at most `limit` behind the one named. */
export async function listTrackers(
  executor: Executor,
  appId: string,
  { beforeId, limit }: { beforeId: string | null; limit: number },
): Promise<Tracker[]> {
  return rows<Tracker>(
    executor,
    `SELECT ${COLUMNS} FROM trackers t
     WHERE t.app_id = $1 AND ($2::text IS NULL OR (t.created_at, t.tracker_id) < (
       SELECT created_at, tracker_id FROM trackers WHERE app_id = $1 AND tracker_id = $2
     ))
     ORDER BY t.created_at DESC, t.tracker_id DESC LIMIT $3`,
    [appId, beforeId, limit],
  );
}

/** Trackers as clicks need them, of whatever application: a link names none. Unknown ones are left out. */
export async function findTrackerTargets(executor: Executor, trackerIds: readonly string[]): Promise<TrackerTarget[]> {
  return rows<TrackerTarget>(
    executor,
    `SELECT t.app_id AS "appId", ${COLUMNS}, a.link_hosts AS "linkHosts", a.link_schemes AS "linkSchemes",
       a.match_by_address AS "matchByAddress", a.deferred_link_minutes AS "deferredLinkMinutes"
     FROM trackers t JOIN applications a ON a.app_id = t.app_id
     WHERE t.tracker_id = ANY ($1::text[])`,
    [trackerIds],
  );
}

function columnsOf(settings: TrackerSettings): unknown[] {
  const { name, deepLink, destination, redirect, platforms, allowedHosts } = settings;
  return [name, deepLink, destination, redirect, JSON.stringify(platforms), allowedHosts];
}
