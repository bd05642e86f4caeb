import { Inject, Injectable } from '@nestjs/common';
import { deliveryStateRank, type Lane, type PushVendor } from '@postrider/domain';
import { type Database, DATABASE, type Executor, rows } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import { recordDeliveries, type RecordedDeliveries } from '../deliveries/record-deliveries';
import type { MessageKey } from '../messages/message-key';
import { parameter, sql, type Sql } from '../sql';
import { ALONE_AFTER_LOSSES, type Claim, type ClaimedPage, claimPageStatement, LOSSES } from './claim-page.statement';
import type { HeldPage, PageKey } from './page-key';
import { settlePageStatement, type Settlement } from './settle-page.statement';

/** Who holds pages, and until when from now on. */
export interface Renewal {
  leasedBy: string;
  leaseUntil: Date;
}

/** A page that has no worker and perhaps no job. */
export interface DuePage extends PageKey {
  vendor: PushVendor;
  lane: Lane;
  /** Null: at once. */
  notBefore: Date | null;
}

/** How much there was to wake. */
export interface WokenWork {
  pages: number;
  messages: number;
}

/**
 * The pages of messages: who works on which, until when, and what came of it. A page belongs to the worker that claimed it last;
 * each claim has its number (`fence`), and what an earlier owner writes is refused.
 */
@Injectable()
export class PagesRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Makes a page the caller's own: one that waits and is due, or whose lease is over. A page whose message expired or was
   * cancelled is due at once. A steered page has to be admitted first (`PacingRepository`), once for each claim. Of two callers
   * at the same moment one gets it. A page that was begun before leaves out the devices whose outcome is recorded. A lease that
   * ended without a result counts as a worker lost; a page that lost `ALONE_AFTER_LOSSES` of them goes to who works on nothing
   * else.
   *
   * @returns null when there is nothing to claim: finished, not due yet, somebody else's, or not with others beside it
   */
  async claim(page: PageKey, claim: Claim): Promise<ClaimedPage | null> {
    const [claimed] = await preparedRows<ClaimedPage>(this.database, claimPageStatement(page, claim));
    return claimed ?? null;
  }

  /** Whether `claim` gives a page only to who works on nothing else. */
  async isWorkedAlone({ appId, messageId, pageId }: PageKey, now: Date): Promise<boolean> {
    const found = await preparedRows(
      this.database,
      sql`SELECT 1 FROM pages p
          WHERE p.app_id = ${appId} AND p.message_id = ${messageId} AND p.id = ${pageId} AND p.state <> 'finished'
            AND (p.state = 'waiting' OR p.wake_at <= ${now}) AND ${LOSSES} = ${parameter(ALONE_AFTER_LOSSES, 'integer')}`,
    );
    return found.length > 0;
  }

  /**
   * When a page can be claimed that could not be claimed just now: `now` when somebody held its row for a moment, its own time
   * when it waits for that, the end of its lease when a worker has it.
   *
   * @returns null when the page is finished or gone: nobody has to come back for it
   */
  async findDueAt(page: PageKey, now: Date): Promise<Date | null> {
    const [appId, messageId, at] = [parameter(page.appId), parameter(page.messageId), parameter(now)];
    const [found] = await rows<{ dueAt: Date }>(
      this.database,
      sql`SELECT CASE WHEN p.state = 'running' THEN p.wake_at
            WHEN m.status = 'cancelled' OR coalesce(p.expires_at, m.expires_at) <= ${at} THEN ${at}
            ELSE coalesce(p.not_before, ${at}) END AS "dueAt"
          FROM pages p JOIN messages m ON m.app_id = ${appId} AND m.id = ${messageId}
          WHERE p.app_id = ${appId} AND p.message_id = ${messageId} AND p.id = ${page.pageId} AND p.state <> 'finished'`,
    );
    return found?.dueAt ?? null;
  }

  /**
   * Records outcomes of a page that goes on. Safe to repeat. A page whose lease is over is still the caller's as long as nobody
   * else claimed it. A new claim waits for the lock on the page's row, and so sees what is recorded here.
   *
   * @returns false when the page is no longer the caller's; nothing was written then
   */
  async flush(page: HeldPage, outcomes: RecordedDeliveries, at: Date): Promise<boolean> {
    const [appId, messageId, now] = [parameter(page.appId), parameter(page.messageId), parameter(at)];
    const { inboxDeviceIds } = page;
    const held = await preparedRows(
      this.database,
      sql`WITH held AS (
            SELECT vendor, attempt FROM pages
            WHERE app_id = ${appId} AND message_id = ${messageId} AND id = ${page.pageId} AND fence = ${page.fence}
              AND leased_by IS NOT NULL
            FOR NO KEY UPDATE
          ), recorded AS (${recordDeliveries({ appId, messageId, now, page: sql`held`, outcomes, inboxDeviceIds })})
          SELECT 1 FROM held`,
    );
    return held.length > 0;
  }

  /**
   * Ends a caller's work on a page: records the last outcomes, writes the retry pages, and finishes the page or makes its
   * remainder wait. All or nothing.
   *
   * @returns false when the page is no longer the caller's; nothing was written then
   */
  async settle(executor: Executor, page: HeldPage, settlement: Settlement): Promise<boolean> {
    const settled = await preparedRows(executor, settlePageStatement(page, settlement));
    return settled.length > 0;
  }

  /** The ids of the devices on a page, locked until the transaction ends: until it is settled there. Empty when it is gone. */
  async lockDevices(executor: Executor, { appId, messageId, pageId }: PageKey): Promise<number[]> {
    const [page] = await rows<{ ids: number[] }>(
      executor,
      sql`SELECT to_json(device_ids) AS ids FROM pages
          WHERE app_id = ${appId} AND message_id = ${messageId} AND id = ${pageId} FOR NO KEY UPDATE`,
    );
    return page?.ids ?? [];
  }

  /**
   * Renews the leases of all pages that a worker has in hand. A lease that was over is renewed too, as long as nobody else
   * claimed the page.
   *
   * @returns the ids of the pages that are still its own
   */
  async renewLeases(pages: readonly HeldPage[], { leasedBy, leaseUntil }: Renewal): Promise<Set<string>> {
    const renewed = await rows<{ id: string }>(
      this.database,
      sql`UPDATE pages p
          SET state = 'running', wake_at = ${leaseUntil}
          FROM ${heldRows(pages)} AS held (app_id, message_id, id, fence)
          WHERE p.app_id = held.app_id AND p.message_id = held.message_id AND p.id = held.id AND p.fence = held.fence
            AND p.leased_by = ${leasedBy}
          RETURNING p.id`,
    );
    return new Set(renewed.map(({ id }) => id));
  }

  /**
   * Takes back what is held against `pages`, whose leases ended, or are about to end, without a result although their owner is
   * alive: it could not renew them, or it gave the page up. One that nobody claimed since waits again, as nobody's. One that
   * somebody did claim has lost a worker less. To be called once for each lease.
   */
  async excuseLeases(pages: readonly HeldPage[], leasedBy: string): Promise<void> {
    await rows(
      this.database,
      sql`UPDATE pages p
          SET state = CASE WHEN p.fence = held.fence THEN 'waiting' ELSE p.state END,
            leased_by = CASE WHEN p.fence = held.fence THEN NULL ELSE p.leased_by END,
            losses = CASE WHEN p.fence = held.fence THEN p.losses ELSE greatest(p.losses - 1, 0) END
          FROM ${heldRows(pages)} AS held (app_id, message_id, id, fence)
          WHERE p.app_id = held.app_id AND p.message_id = held.message_id AND p.id = held.id AND p.state <> 'finished'
            AND ((p.fence = held.fence AND p.leased_by = ${leasedBy}) OR p.fence > held.fence)`,
    );
  }

  /**
   * Pages that are due to be looked at, longest due first: never enqueued or lost with Redis, their retry due, or their
   * lease over. One that waits for its moment is found a little ahead of it. Those that open inboxes are not among them.
   */
  async findDue(now: Date, limit: number): Promise<DuePage[]> {
    return rows<DuePage>(
      this.database,
      sql`SELECT app_id AS "appId", message_id AS "messageId", id AS "pageId", vendor, lane, not_before AS "notBefore"
          FROM pages WHERE wake_at <= ${now} AND vendor <> 'connection'
          ORDER BY wake_at LIMIT ${limit}`,
    );
  }

  /**
   * Puts off looking at those of `pages` that are still due until `wakeAt`, or shortly after its time where that is still to
   * come. One whose lease is over waits again from here on, so that it can be claimed at any time; until somebody does, it is
   * still its former owner's, who may come back.
   */
  async postpone(pages: readonly PageKey[], { now, wakeAt }: { now: Date; wakeAt: Date }): Promise<void> {
    const at = parameter(now);
    const ids = pages.map(({ pageId }) => pageId);
    await rows(
      this.database,
      sql`UPDATE pages p
          SET state = 'waiting', wake_at = CASE WHEN p.not_before > ${at} THEN p.not_before + interval '1 second' ELSE ${wakeAt} END
          FROM unnest(${appIdsOf(pages)}::text[], ${messageIdsOf(pages)}::uuid[], ${ids}::uuid[]) AS due (app_id, message_id, id)
          WHERE p.app_id = due.app_id AND p.message_id = due.message_id AND p.id = due.id
            AND p.wake_at <= ${at} AND p.state <> 'finished'`,
    );
  }

  /**
   * Has everything looked at now, pages and messages, that is due, or soon, although the next look at it is still to come: the
   * jobs that were trusted in are lost. What a worker has in hand, or what waits for a later moment, is left alone. A look is put
   * off by a minute at most: what is due later than that need not be read.
   */
  async wakeDueWork(at: Date): Promise<WokenWork> {
    const now = parameter(at);
    // Further ahead than this nothing has a job yet.
    const soon = sql`${now}::timestamptz + interval '10 seconds'`;
    const isPutOff = sql`wake_at > ${now} AND wake_at <= ${now}::timestamptz + interval '1 minute'`;
    const [woken] = await rows<WokenWork>(
      this.database,
      sql`WITH woken_pages AS (
            UPDATE pages SET wake_at = ${now}
            WHERE ${isPutOff} AND state = 'waiting' AND vendor <> 'connection' AND (not_before IS NULL OR not_before <= ${soon})
            RETURNING 1
          ), woken_messages AS (
            UPDATE messages SET wake_at = ${now}
            WHERE ${isPutOff} AND resolved_at IS NULL AND (send_at IS NULL OR send_at <= ${soon})
            RETURNING 1
          )
          SELECT (SELECT count(*)::integer FROM woken_pages) AS pages, (SELECT count(*)::integer FROM woken_messages) AS messages`,
    );
    return woken ?? { pages: 0, messages: 0 };
  }

  /**
   * Ends pages that wait, at most `limit`, of those of `messages` that were cancelled: every device without an outcome gets
   * its delivery row, and a former owner of the page writes nothing any more. Pages that a worker has in hand are ended by it;
   * what somebody has locked is left out.
   *
   * @returns how many pages were ended
   */
  async endCancelled(messages: readonly MessageKey[], at: Date, limit: number): Promise<number> {
    const now = parameter(at);
    const [ended] = await rows<{ pages: number }>(
      this.database,
      sql`WITH open AS MATERIALIZED (
            SELECT p.app_id, p.message_id, p.id
            FROM unnest(${appIdsOf(messages)}::text[], ${messageIdsOf(messages)}::uuid[]) AS due (app_id, id)
            JOIN messages m ON m.app_id = due.app_id AND m.id = due.id AND m.status = 'cancelled'
            JOIN pages p ON p.app_id = due.app_id AND p.message_id = due.id AND p.state <> 'finished'
            WHERE p.state = 'waiting'
            LIMIT ${limit} FOR NO KEY UPDATE OF p SKIP LOCKED
          ), ended AS (
            UPDATE pages p SET state = 'finished', wake_at = NULL, leased_by = NULL, finished_at = ${now}
            FROM open WHERE p.app_id = open.app_id AND p.message_id = open.message_id AND p.id = open.id
            RETURNING p.app_id, p.message_id, p.vendor, p.attempt, p.device_ids
          ), recorded AS (
            INSERT INTO deliveries AS d (app_id, message_id, device_id, state, rank, vendor, reason, attempt, created_at, updated_at)
            SELECT ended.app_id, ended.message_id, device.id, 'cancelled', ${deliveryStateRank('cancelled')}::smallint, ended.vendor,
              'The message was cancelled before it was sent to this device', ended.attempt - 1, ${now}, ${now}
            FROM ended CROSS JOIN LATERAL unnest(ended.device_ids) AS device (id)
            ON CONFLICT (app_id, message_id, device_id) DO UPDATE
            SET state = excluded.state, rank = excluded.rank, vendor = excluded.vendor, reason = excluded.reason,
              updated_at = excluded.updated_at
            WHERE excluded.rank > d.rank
          )
          SELECT count(*)::integer AS pages FROM ended`,
    );
    return ended?.pages ?? 0;
  }
}

function heldRows(pages: readonly HeldPage[]): Sql {
  const [ids, fences] = [pages.map(({ pageId }) => pageId), pages.map(({ fence }) => fence)];
  return sql`unnest(${appIdsOf(pages)}::text[], ${messageIdsOf(pages)}::uuid[], ${ids}::uuid[], ${fences}::integer[])`;
}

function appIdsOf(keys: readonly MessageKey[]): string[] {
  return keys.map(({ appId }) => appId);
}

function messageIdsOf(keys: readonly MessageKey[]): string[] {
  return keys.map(({ messageId }) => messageId);
}
