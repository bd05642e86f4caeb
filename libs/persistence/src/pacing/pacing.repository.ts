import { deliveryStateRank, type Lane, type PaceMark, type QuietHours, type QuietZone } from '@postrider/domain';
import type { PageKey, MessageKey } from '../partitions/message-key';
import { isPacked } from '../packs/packed-deliveries';
import { wakesAt } from '../pages/page-times';
import { parameter, sql, type Sql } from '../sql';
import { Inject, Injectable } from '@nestjs/common';
import { type Database, DATABASE, type Executor, rows } from '../database/executor';
import { inRetriedTransaction } from '../database/retried-transaction';

/**
 * The statement of `PacingRepository.putOffQuiet`. Its row has the number of devices that are left on the page. A
 * worker that held the page before must not write any more (`leased_by`): a part of it belongs to another page now. Devices of
 * a page that was claimed before may have rows (they also get the message on their connection), so the pages that they are put
 * on count as claimed before. The time until then is not one in which their vendor was asked in vain.
 */
function putOffQuietStatement(page: PageKey, quiet: readonly QuietZone[], at: Date): Sql {
  const [appId, messageId, pageId] = [parameter(page.appId), parameter(page.messageId), parameter(page.pageId)];
  const now = parameter(at);
  const pending = parameter(deliveryStateRank('pending'), 'smallint');
  const zones = JSON.stringify(quiet.map(({ zone, until }) => ({ zone: zone ?? '', until })));
  return sql`
  WITH page AS MATERIALIZED (
    SELECT p.* FROM pages p WHERE p.app_id = ${appId} AND p.message_id = ${messageId} AND p.id = ${pageId}
  ), device AS MATERIALIZED (
    SELECT member.id, member.place, quiet.zone IS NOT NULL AS is_quiet, quiet.until
    FROM page CROSS JOIN LATERAL unnest(page.device_ids) WITH ORDINALITY AS member (id, place)
    LEFT JOIN LATERAL (
      SELECT q.zone, q.until FROM json_to_recordset(${zones}::json) AS q (zone text, until timestamptz)
      WHERE q.zone = coalesce((SELECT i.time_zone FROM installations i WHERE i.app_id = ${appId} AND i.id = member.id), '')
    ) quiet ON true
    WHERE coalesce((
      SELECT d.rank FROM deliveries d WHERE d.app_id = ${appId} AND d.message_id = ${messageId} AND d.device_id = member.id
    ), ${pending}) = ${pending} AND NOT ${isPacked({ app: sql`${appId}`, message: sql`${messageId}::uuid`, device: sql`member.id` })}
  ), put_off AS (
    INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, attempt, fence, first_attempt_at, is_unanswered, is_steered,
      starts_at, expires_at, waits_for, not_before, wake_at, created_at)
    SELECT ${appId}, ${messageId}, gen_random_uuid(), page.vendor, page.lane, waiting.ids, page.attempt, least(page.fence, 1),
      page.first_attempt_at + (waiting.until - ${now}::timestamptz), page.is_unanswered, true, page.starts_at, page.expires_at,
      'quiet_hours', waiting.until,
      ${wakesAt({ vendor: sql`page.vendor`, time: sql`waiting.until` })}, ${now}
    FROM page CROSS JOIN (
      SELECT until, array_agg(id ORDER BY place) AS ids FROM device WHERE until IS NOT NULL GROUP BY until
    ) waiting
  ), skipped AS (
    INSERT INTO deliveries AS d (app_id, message_id, device_id, state, rank, vendor, error_code, reason, attempt, created_at,
      updated_at)
    SELECT ${appId}, ${messageId}, device.id, 'skipped', ${deliveryStateRank('skipped')}::smallint, page.vendor, 'quiet_hours',
      'The quiet hours end after the message expires', page.attempt, ${now}, ${now}
    FROM device CROSS JOIN page WHERE device.is_quiet AND device.until IS NULL
    ON CONFLICT (app_id, message_id, device_id) DO UPDATE
    SET state = excluded.state, rank = excluded.rank, vendor = excluded.vendor, error_code = excluded.error_code,
      reason = excluded.reason, updated_at = excluded.updated_at
    WHERE excluded.rank > d.rank
  ), kept AS MATERIALIZED (
    SELECT coalesce(array_agg(id ORDER BY place), '{}') AS ids FROM device WHERE NOT is_quiet
  )
  UPDATE pages p
  SET device_ids = kept.ids, leased_by = NULL,
    state = CASE WHEN kept.ids = '{}' THEN 'finished' ELSE 'waiting' END,
    wake_at = CASE WHEN kept.ids <> '{}' THEN p.wake_at END,
    finished_at = CASE WHEN kept.ids = '{}' THEN ${now}::timestamptz END
  FROM kept
  WHERE p.app_id = ${appId} AND p.message_id = ${messageId} AND p.id = ${pageId}
  RETURNING cardinality(kept.ids) AS devices`;
}

/** What limits the pages of a message, in devices a second. */
export interface MessageLimits {
  lane: Lane;
  rate: number | null;
  devicesPerSecond: number | null;
}

/** A page that may be claimed once pacing admits it, and what decides about that. */
export interface SteeredPage extends MessageLimits {
  devices: number;
  turnAt: Date | null;
  turnIsCounted: boolean;
  /** The span of time in which it may be sent. */
  startsAt: Date;
  expiresAt: Date;
  /** Null: no quiet hours, or none for this message. */
  quietHours: QuietHours | null;
  defaultTimeZone: string | null;
}

/** When a page's turn is, and when recovery handles it if its job is lost. */
interface PageTurn {
  at: Date;
  /** True if the application's limit has counted it. */
  isCounted: boolean;
  wakeAt: Date;
}

/** The limits of a message and of its application, locked until the transaction ends. */
interface LockedPaces {
  message: PaceMark;
  application: PaceMark;
  /** How many campaigns of the application are being sent, this one included. */
  sends: number;
}

/** The id under which the application's own limit is stored. */
const NIL = '00000000-0000-0000-0000-000000000000';

/** Selects a time in milliseconds since 1970, with its microseconds: the pages of a high rate have less than a millisecond each. */
const millisecondsOf = (time: Sql): Sql => sql`(extract(epoch FROM ${time}) * 1000)::float8`;

/** A campaign with a change within this time counts as being sent. */
const ACTIVE = sql`interval '2 seconds'`;

/**
 * The pacing of messages: rates and quiet hours. The decision about a steered page is one transaction that holds the
 * lock on its row (`lockPage`), so that any number of workers keep one pace together.
 */
@Injectable()
export class PacingRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Locks a steered page that waits and is due, or whose lease is over, in the caller's transaction. Its message may be done:
   * pages that follow connections which did not acknowledge it come after that.
   *
   * @returns null if there is no such page, or another transaction has locked it
   */
  async lockPage(executor: Executor, page: PageKey, at: Date): Promise<SteeredPage | null> {
    const [appId, messageId, now] = [parameter(page.appId), parameter(page.messageId), parameter(at)];
    const [found] = await rows<SteeredPage>(
      executor,
      sql`SELECT p.lane, cardinality(p.device_ids) AS devices,
            CASE WHEN p.admitted_fence IS NULL THEN p.turn_at END AS "turnAt", p.turn_is_counted AS "turnIsCounted",
            coalesce(p.starts_at, m.send_at, m.accepted_at) AS "startsAt", coalesce(p.expires_at, m.expires_at) AS "expiresAt",
            m.rate, a.devices_per_second AS "devicesPerSecond",
            CASE WHEN NOT m.ignore_quiet_hours THEN a.quiet_hours END AS "quietHours", a.default_time_zone AS "defaultTimeZone"
          FROM pages p
          JOIN messages m ON m.app_id = ${appId} AND m.id = ${messageId}
          JOIN applications a ON a.app_id = ${appId}
          WHERE p.app_id = ${appId} AND p.message_id = ${messageId} AND p.id = ${page.pageId} AND p.is_steered
            AND m.status <> 'cancelled'
            AND (p.state = 'waiting' OR (p.state = 'running' AND p.wake_at <= ${now}))
            AND (p.not_before IS NULL OR p.not_before <= ${now})
          FOR NO KEY UPDATE OF p SKIP LOCKED`,
    );
    return found ?? null;
  }

  /** Reads what limits the pages of a message; null: there is no such message. */
  async readLimits(executor: Executor, { appId, messageId }: MessageKey): Promise<MessageLimits | null> {
    const app = parameter(appId);
    const [found] = await rows<MessageLimits>(
      executor,
      sql`SELECT m.lane, m.rate, a.devices_per_second AS "devicesPerSecond"
          FROM messages m JOIN applications a ON a.app_id = ${app}
          WHERE m.app_id = ${app} AND m.id = ${messageId}`,
    );
    return found ?? null;
  }

  /** Reads the time zones that a page's devices report. Null for devices that report none. */
  async readZones(executor: Executor, { appId, messageId, pageId }: PageKey): Promise<(string | null)[]> {
    const app = parameter(appId);
    const zones = await rows<{ zone: string | null }>(
      executor,
      sql`SELECT DISTINCT (SELECT i.time_zone FROM installations i WHERE i.app_id = ${app} AND i.id = device.id) AS zone
          FROM pages p CROSS JOIN LATERAL unnest(p.device_ids) AS device (id)
          WHERE p.app_id = ${app} AND p.message_id = ${messageId} AND p.id = ${pageId}`,
    );
    return zones.map(({ zone }) => zone);
  }

  /**
   * Takes the devices in `quiet` zones off a page, in the transaction that locked it: they are put on pages of their
   * own, one for each end of their quiet hours, or are skipped. A page without devices is finished. Devices that have
   * an outcome already are not moved.
   *
   * @returns the number of devices that are left on the page
   */
  async putOffQuiet(executor: Executor, page: PageKey, quiet: readonly QuietZone[], now: Date): Promise<number> {
    const [left] = await rows<{ devices: number }>(executor, putOffQuietStatement(page, quiet, now));
    return left?.devices ?? 0;
  }

  /**
   * Admits a page: it may be claimed once, within a minute. In the transaction that locked it. What it waited for
   * (`waits_for`) is over: it may have to wait for its vendor now.
   */
  async admit(executor: Executor, { appId, messageId, pageId }: PageKey, at: Date): Promise<void> {
    await rows(
      executor,
      sql`UPDATE pages SET admitted_fence = fence, turn_at = ${at}, turn_is_counted = false, waits_for = NULL
          WHERE app_id = ${appId} AND message_id = ${messageId} AND id = ${pageId}`,
    );
  }

  /** Puts a page off until its turn. In the transaction that locked it. What it waited for (`waits_for`) is over. */
  async postpone(executor: Executor, { appId, messageId, pageId }: PageKey, turn: PageTurn): Promise<void> {
    const at = parameter(turn.at);
    await rows(
      executor,
      sql`UPDATE pages SET state = 'waiting', not_before = ${at}, turn_at = ${at}, turn_is_counted = ${turn.isCounted},
            admitted_fence = NULL, waits_for = NULL, wake_at = ${turn.wakeAt}
          WHERE app_id = ${appId} AND message_id = ${messageId} AND id = ${pageId}`,
    );
  }

  /**
   * Locks the paces of a message and, if it is limited, of its application. New ones are inserted. They are locked in
   * the order of their keys, which prevents deadlocks.
   */
  async lockPaces(
    executor: Executor,
    { appId, messageId }: MessageKey,
    at: Date,
    isApplicationLimited: boolean,
  ): Promise<LockedPaces> {
    const [app, now] = [parameter(appId), parameter(at)];
    const ids = isApplicationLimited ? [NIL, messageId] : [messageId];
    const locked = await rows<PaceMark & { id: string; sends: number }>(
      executor,
      sql`INSERT INTO paces AS p (app_id, message_id, next_at, passed_until)
          SELECT ${app}, id, ${now}, ${now} FROM unnest(${ids}::uuid[]) AS id ORDER BY id
          ON CONFLICT (app_id, message_id) DO UPDATE SET next_at = p.next_at
          RETURNING message_id AS id, ${millisecondsOf(sql`next_at`)} AS "nextAt", ${millisecondsOf(sql`passed_until`)} AS "passedUntil",
            CASE WHEN ${isApplicationLimited}::boolean THEN (
              SELECT count(*) FROM paces other
              JOIN messages m ON m.app_id = ${app} AND m.id = other.message_id AND m.lane = 'campaign' AND m.status = 'accepted'
              WHERE other.app_id = ${app} AND other.next_at > ${now}::timestamptz - ${ACTIVE} AND other.message_id <> ${messageId}
            )::integer ELSE 0 END AS sends`,
    );
    const paceOf = (id: string): PaceMark => {
      const fresh = { nextAt: at.getTime(), passedUntil: at.getTime() };
      const { nextAt, passedUntil } = locked.find((pace) => pace.id === id) ?? fresh;
      return { nextAt, passedUntil };
    };
    return { message: paceOf(messageId), application: paceOf(NIL), sends: 1 + (locked[0]?.sends ?? 0) };
  }

  /** Stores the new state of the limits. The application's does not change if it is null. */
  async savePaces(
    executor: Executor,
    { appId, messageId }: MessageKey,
    { message, application }: { message: PaceMark; application: PaceMark | null },
  ): Promise<void> {
    const id = parameter(messageId);
    const timeOf = (ms: number | undefined): Sql => sql`to_timestamp(${ms}::float8 / 1000)`;
    await rows(
      executor,
      sql`UPDATE paces
          SET next_at = CASE message_id WHEN ${id} THEN ${timeOf(message.nextAt)}
              ELSE coalesce(${timeOf(application?.nextAt)}, next_at) END,
            passed_until = CASE message_id WHEN ${id} THEN ${timeOf(message.passedUntil)}
              ELSE coalesce(${timeOf(application?.passedUntil)}, passed_until) END
          WHERE app_id = ${appId} AND message_id IN (${id}, ${NIL})`,
    );
  }

  /**
   * Makes an application's open pages ask for admission from now on: its limits changed while messages are being sent.
   * Call it after the change is committed. It waits for the parts of audiences that are being written at that moment,
   * and looks again for retry pages: their pages were being settled when it looked first. It locks in the usual order
   * (`inLockOrder`), but may collide with what has none, such as an erasure.
   */
  async steerOpenPages(appId: string): Promise<void> {
    const awaitParts = sql`SELECT FROM messages WHERE app_id = ${appId} AND wake_at IS NOT NULL AND resolved_at IS NULL
            AND (send_at IS NULL OR send_at <= now() + interval '1 minute') ORDER BY id FOR NO KEY UPDATE`;
    const isOpen = sql`app_id = ${appId} AND state <> 'finished' AND NOT is_steered`;
    const lock = sql`SELECT FROM pages WHERE ${isOpen} ORDER BY message_id, id FOR NO KEY UPDATE`;
    const steer = sql`UPDATE pages SET is_steered = true WHERE ${isOpen}`;
    // Not in one transaction, which would hold the messages while it waits for the pages.
    for (const statements of [[awaitParts], [lock, steer], [lock, steer]]) {
      await inRetriedTransaction(this.database, async (executor) => {
        for (const statement of statements) await rows(executor, statement);
      });
    }
  }

  /**
   * Deletes up to `limit` paces of messages of which nothing was sent since `before`. One that is in use again at this
   * moment stays. @returns the number of deleted paces
   */
  async deleteOld(before: Date, limit: number): Promise<number> {
    const moment = parameter(before, 'timestamptz');
    const gone = await rows(
      this.database,
      sql`DELETE FROM paces
          WHERE (app_id, message_id) IN (SELECT app_id, message_id FROM paces WHERE next_at < ${moment} LIMIT ${limit})
            AND next_at < ${moment}
          RETURNING 1`,
    );
    return gone.length;
  }
}
