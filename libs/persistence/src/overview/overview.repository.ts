import { Inject, Injectable } from '@nestjs/common';
import type { PushVendor } from '@postrider/domain';
import { firstIdAt } from '@postrider/platform';
import { DATABASE, type Database, rows } from '../database/executor';
import { rowsPlannedOnce, rowsPlannedOnceByKeys } from '../database/prepared-rows';
import { isProvedIn } from '../devices/user-proof';
import { edgeIsAlive } from '../edges/edges.repository';
import { parameter, type Sql, sql } from '../sql';

/** The number of an application's installations of one device type, and how many of them are reachable. */
export interface DeviceCount {
  /** Null: the device did not report it. */
  deviceType: string | null;
  total: number;
  reachable: number;
  /** Unreachable devices that would be reachable if their vendors had credentials, by vendor. */
  waiting: Partial<Record<PushVendor, number>>;
}

/** Which first steps a new application has taken. */
export interface FirstSteps {
  hasVendor: boolean;
  hasDevice: boolean;
  hasMessage: boolean;
}

/** Due work that no worker has claimed. */
export interface LaggingWork {
  pages: number;
  messages: number;
  /** Since when the oldest waits. Null: nothing waits. */
  since: Date | null;
}

/** The most that are counted. */
const MOST_COUNTED = 10_000;

/** A set in force that is used up or nearly so. */
export interface PromoShortage {
  /** Null: the application's global set. */
  trackId: string | null;
  remaining: number;
  total: number;
}

const MOST_SHOWN = 20;

/** The number of devices that vendors were called about in one span of time. */
export interface ThroughputPoint {
  at: Date;
  devices: number;
}

/** The number of messages that an application sent since a moment, and the devices' reports about them until now. */
export interface SendSums {
  messages: number;
  campaigns: number;
  /** Devices that these messages were sent to, as answered when they were accepted. */
  devices: number;
  /** Devices of these messages only, so that they are a part of `devices`. */
  delivered: number;
  opened: number;
}

/** The devices that were skipped for one reason, of one vendor. */
export interface SkipCount {
  /** The vendor of the device's token. Null: the device has no token. */
  vendor: string | null;
  /** A code. */
  reason: string;
  devices: number;
}

/** The campaigns that left on one day (UTC), and their receipts until now. */
export interface CampaignDay {
  day: Date;
  campaigns: number;
  /** Devices that these messages were sent to, as answered when they were accepted. */
  devices: number;
  delivered: number;
  opened: number;
  clicked: number;
}

/** The figures of an application's overview. */
@Injectable()
export class OverviewRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Counts all installations of an application by device type. Reachable are those with their own connection or with a
   * usable token of a vendor whose credentials the application has, and with a proved user if the application requires
   * that. Reads every installation, so it is too expensive for every page view.
   */
  async countDevices(appId: string): Promise<DeviceCount[]> {
    const app = parameter(appId);
    const isProved = isProvedIn(app, sql`installations`);
    const isReachable = sql`coalesce(${isProved} AND (uses_connection OR usable_vendor = ANY (ARRAY(
              SELECT vendor FROM vendor_credentials WHERE app_id = ${app}))), false)`;
    return rows<DeviceCount>(
      this.database,
      sql`SELECT "deviceType", sum(devices)::float8 AS total, coalesce(sum(devices) FILTER (WHERE is_reachable), 0)::float8 AS reachable,
            coalesce(jsonb_object_agg(vendor, devices) FILTER (WHERE NOT is_reachable AND vendor IS NOT NULL), '{}') AS waiting
          FROM (
            SELECT device_type AS "deviceType", ${isReachable} AS is_reachable,
              CASE WHEN ${isProved} AND NOT ${isReachable} THEN usable_vendor END AS vendor, count(*) AS devices
            FROM installations WHERE app_id = ${app} GROUP BY 1, 2, 3
          ) groups GROUP BY 1 ORDER BY total DESC`,
    );
  }

  /** Counts the devices of an application that hold a connection now. */
  async countOnline(appId: string): Promise<number> {
    const [counted] = await rows<{ online: number }>(
      this.database,
      sql`SELECT count(*)::float8 AS online FROM presence p JOIN edges e ON e.edge_id = p.edge_id AND ${edgeIsAlive(sql`e`)}
          WHERE p.app_id = ${appId}`,
    );
    return counted?.online ?? 0;
  }

  /** Finds out if an application has a vendor, a device and a message. */
  async findFirstSteps(appId: string): Promise<FirstSteps> {
    const app = parameter(appId);
    const [found] = await rowsPlannedOnce<FirstSteps>(
      this.database,
      sql`SELECT EXISTS (SELECT 1 FROM vendor_credentials WHERE app_id = ${app} AND vendor <> 'sms') AS "hasVendor",
            EXISTS (SELECT 1 FROM installations WHERE app_id = ${app}) AS "hasDevice",
            EXISTS (SELECT 1 FROM messages WHERE app_id = ${app}) AS "hasMessage"`,
    );
    return found ?? { hasVendor: false, hasDevice: false, hasMessage: false };
  }

  /**
   * Finds pages that have waited for a delivery worker, and messages whose audience nobody has resolved, since before
   * `before`. Work that waits for its time, its turn or a vendor's retry is left out.
   */
  async findLaggingWork(appId: string, before: Date): Promise<LaggingWork> {
    const app = parameter(appId);
    const moment = parameter(before);
    const [found] = await rowsPlannedOnce<LaggingWork>(
      this.database,
      sql`WITH pages AS (
            SELECT created_at AS since FROM pages
            WHERE app_id = ${app} AND state <> 'finished' AND state = 'waiting' AND attempt = 1 AND NOT is_steered
              AND not_before IS NULL AND created_at < ${moment} LIMIT ${MOST_COUNTED}
          ), messages AS (
            SELECT accepted_at AS since FROM messages
            WHERE app_id = ${app} AND wake_at IS NOT NULL AND wake_at < ${moment} AND resolved_at IS NULL
              AND status = 'accepted' AND accepted_at < ${moment} AND (send_at IS NULL OR send_at < ${moment}) LIMIT ${MOST_COUNTED}
          )
          SELECT (SELECT count(*)::int FROM pages) AS pages, (SELECT count(*)::int FROM messages) AS messages,
            least((SELECT min(since) FROM pages), (SELECT min(since) FROM messages)) AS since`,
    );
    return found ?? { pages: 0, messages: 0, since: null };
  }

  /**
   * Finds the application's sets in force whose stock is low, the emptiest first, at most 20. A set without a threshold
   * is low if a twentieth of its codes is left.
   */
  async findPromoShortages(appId: string): Promise<PromoShortage[]> {
    return rows<PromoShortage>(
      this.database,
      sql`SELECT nullif(track_id, '') AS "trackId", remaining::float8 AS remaining, coalesce(total, 0)::float8 AS total
          FROM promo_sets WHERE app_id = ${appId} AND state = 'in_force'
            AND (low_since IS NOT NULL OR (low_stock_at IS NULL AND total > 0 AND remaining * 20 <= total))
          ORDER BY remaining LIMIT ${MOST_SHOWN}`,
    );
  }

  /**
   * Counts the devices of the pages that were finished from `since` on, in spans of `spanSeconds`. Left out are empty
   * spans, and pages that ended before a vendor was called because their message was cancelled. A message that is moved
   * keeps its id, so its pages may be of any day.
   */
  async readThroughput(appId: string, since: Date, spanSeconds: number): Promise<ThroughputPoint[]> {
    const span = parameter(spanSeconds);
    return rowsPlannedOnceByKeys<ThroughputPoint>(
      this.database,
      sql`SELECT to_timestamp(floor(extract(epoch FROM finished_at) / ${span}::int) * ${span}::int) AS at,
            sum(cardinality(device_ids))::float8 AS devices
          FROM pages WHERE app_id = ${appId} AND finished_at >= ${since} AND first_attempt_at IS NOT NULL
          GROUP BY 1 ORDER BY 1`,
    );
  }

  /**
   * Sums up the campaigns that left in `[since, until)` by day, oldest first, without cancelled ones. Days without
   * campaigns are left out. It reads a row for each campaign, and its counts by the hour, so it is too expensive for
   * every page view. A campaign that is moved keeps its id, so it may be of any day.
   */
  async sumCampaignDays(appId: string, since: Date, until: Date): Promise<CampaignDay[]> {
    const app = parameter(appId);
    return rowsPlannedOnceByKeys<CampaignDay>(
      this.database,
      sql`SELECT date_trunc('day', coalesce(m.send_at, m.accepted_at), 'UTC') AS day, count(*)::float8 AS campaigns,
            sum(m.count)::float8 AS devices, coalesce(sum(said.delivered), 0)::float8 AS delivered,
            coalesce(sum(said.opened), 0)::float8 AS opened, coalesce(sum(said.clicked), 0)::float8 AS clicked
          FROM messages m CROSS JOIN LATERAL (
            SELECT sum(c.count) FILTER (WHERE c.kind = 'delivered') AS delivered,
              sum(c.count) FILTER (WHERE c.kind = 'opened') AS opened, sum(c.count) FILTER (WHERE c.kind = 'clicked') AS clicked
            FROM message_counts c
            WHERE c.app_id = ${app} AND c.message_id = m.id AND c.kind IN ('delivered', 'opened', 'clicked')
          ) said
          WHERE m.app_id = ${app} AND m.user_ids IS NULL AND m.is_campaign AND m.status <> 'cancelled'
            AND coalesce(m.send_at, m.accepted_at) >= ${since} AND coalesce(m.send_at, m.accepted_at) < ${until}
          GROUP BY 1 ORDER BY 1`,
    );
  }

  /**
   * Adds up the messages that left in `[since, until)`, and the devices that reported delivery and opening of these. A
   * scheduled message has not left, and a message that was cancelled before its time never did. Reads one row for each
   * message of these days, so it is not for every page view. A message keeps its id when it is moved: one that was
   * meant to leave before `since` is not found.
   */
  async sumSends(appId: string, since: Date, until: Date): Promise<SendSums> {
    const app = parameter(appId);
    const first = parameter(firstIdAt(since));
    const [sums] = await rows<SendSums>(
      this.database,
      sql`SELECT left_since.*, reported.* FROM (
            SELECT count(*) FILTER (WHERE NOT is_campaign)::float8 AS messages,
              count(*) FILTER (WHERE is_campaign)::float8 AS campaigns, coalesce(sum(count), 0)::float8 AS devices
            FROM messages WHERE app_id = ${app} AND id >= ${first}::uuid AND ${leftIn(since, until)}
          ) left_since CROSS JOIN (
            SELECT coalesce(sum(count) FILTER (WHERE kind = 'delivered'), 0)::float8 AS delivered,
              coalesce(sum(count) FILTER (WHERE kind = 'opened'), 0)::float8 AS opened
            FROM message_counts WHERE app_id = ${app} AND message_id >= ${first}::uuid AND kind IN ('delivered', 'opened')
          ) reported`,
    );
    return sums ?? { messages: 0, campaigns: 0, devices: 0, delivered: 0, opened: 0 };
  }

  /**
   * Counts the devices that were skipped by the messages that left in `[since, until)`, by reason and vendor, the most
   * frequent first. The messages are those of `sumSends`. Reads the index of skipped deliveries, an entry for each, so it
   * is not for every page view.
   */
  async countSkips(appId: string, since: Date, until: Date): Promise<SkipCount[]> {
    const app = parameter(appId);
    const first = parameter(firstIdAt(since));
    return rows<SkipCount>(
      this.database,
      sql`SELECT skips.vendor, skips.reason, sum(skips.devices)::float8 AS devices FROM (
            SELECT message_id, vendor, coalesce(error_code, reason, 'unknown') AS reason, count(*) AS devices
            FROM deliveries WHERE app_id = ${app} AND message_id >= ${first}::uuid AND state = 'skipped' GROUP BY 1, 2, 3
          ) skips JOIN messages ON app_id = ${app} AND id = skips.message_id AND id >= ${first}::uuid AND ${leftIn(since, until)}
          GROUP BY 1, 2 ORDER BY devices DESC, reason, vendor`,
    );
  }
}

/** The condition for messages that left in `[since, until)`. */
function leftIn(since: Date, until: Date): Sql {
  const left = sql`coalesce(messages.send_at, messages.accepted_at)`;
  return sql`${left} >= ${since} AND ${left} < ${until}
    AND (messages.cancelled_at IS NULL OR messages.cancelled_at > ${left})`;
}
