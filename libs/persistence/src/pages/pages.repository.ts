import { Inject, Injectable } from '@nestjs/common';
import type { DeviceId, Lane, PushVendor } from '@postrider/domain';
import { type Database, DATABASE, type Executor, inTransaction, rows } from '../database/executor';
import { recurringRows } from '../database/prepared-rows';
import { joinedOutcomes, recordDeliveries, type RecordedDeliveries } from '../deliveries/record-deliveries';
import { inLockOrder, type LeasedPage, type MessageKey, type PageKey } from '../partitions/message-key';
import { recordPacked } from '../packs/record-packed';
import { byDay, dayOfMessage, keysFrom, type LedgerDay, rowsOfDay } from '../partitions/ledger-day';
import { parameter, sql } from '../sql';
import {
  ALONE_AFTER_LOSSES,
  type Claim,
  type ClaimedPage,
  claimedPageOf,
  type ClaimedRow,
  claimPagesStatement,
  freeAmong,
  isWithoutDevices,
  LOSSES,
  pendingDevicesStatement,
  placedPages,
  type PendingRow,
  type WhenLocked,
} from './claim-page.statement';
import { endCancelledPages } from './end-cancelled';
import { undoLossesStatement, giveBackUnknownStatement, type UnknownClaim } from './undo-losses.statement';
import { isAboutTime } from './page-times';
import { type PageEnding, type SettleOptions, settlePagesStatement, type Settlement } from './settle-page.statement';
import { wakeDueWork, type WokenWork } from './wake-due-work';
import { duePages } from '../due-work/due-rows';

/** Who holds pages, and the new end of the leases. */
interface Renewal {
  leasedBy: string;
  leaseUntil: Date;
}

/** A page without a worker, and perhaps without a job. */
export interface DuePage extends PageKey {
  vendor: PushVendor;
  lane: Lane;
  /** Null: at once. */
  notBefore: Date | null;
}

/** An ended page, and all devices that it had until then. */
export interface EndedPage {
  ending: PageEnding;
  deviceIds: DeviceId[];
}

/** What is written in the transaction in which pages end. */
export type WithEndings = (executor: Executor, pages: readonly EndedPage[]) => Promise<void>;

/**
 * The pages of messages: which worker has them, until when, and their results. A page belongs to the worker that
 * claimed it last. Each claim has a number (`fence`), and writes of an earlier owner are refused.
 */
@Injectable()
export class PagesRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Claims a page that waits and is due, or whose lease is over. A page whose message expired or was cancelled is due
   * at once. A steered page has to be admitted first (`PacingRepository`), once for each claim. If two callers claim it
   * at the same moment, one gets it. If the page was claimed before, devices with a recorded outcome are left out. A
   * lease that ended without a result counts as a loss. A page with `ALONE_AFTER_LOSSES` losses is given only to a
   * worker that works on nothing else.
   *
   * @returns null if there is nothing to claim: the page is finished, not due yet, or another worker's, or it has to be
   * worked alone
   */
  async claim(page: PageKey, claim: Claim): Promise<ClaimedPage | null> {
    return (await this.#claimOfDay(dayOfMessage(page.messageId), [page], claim, 'waits')).get(page) ?? null;
  }

  /**
   * Like `claim`, for several pages at once, each independent of the others. Pages whose rows are locked at the moment
   * are left out, so that nobody waits for another page's owner.
   *
   * @returns an answer for each, in the order of `pages`; null: there is nothing to claim, or `claim` has to be called
   */
  async claimMany(pages: readonly PageKey[], claim: Claim): Promise<(ClaimedPage | null)[]> {
    const ofDays = byDay(pages).map(([day, keys]) => this.#claimOfDay(day, keys, claim, 'leaves-out'));
    const claimed = new Map((await Promise.all(ofDays)).flatMap((ofDay) => [...ofDay]));
    return pages.map((page) => claimed.get(page) ?? null);
  }

  async #claimOfDay(
    day: LedgerDay,
    pages: readonly PageKey[],
    claim: Claim,
    whenLocked: WhenLocked,
  ): Promise<Map<PageKey, ClaimedPage>> {
    const statement = claimPagesStatement(day, pages, claim, whenLocked);
    const claimed = await rowsOfDay<ClaimedRow>(this.database, statement);
    const found = await this.#withDevices(day, pages, claimed);
    return new Map(found.map((row) => [pages[row.place] as PageKey, claimedPageOf(row)]));
  }

  /** Adds the devices of pages that somebody had before. A page that is gone by now is left out. */
  async #withDevices(day: LedgerDay, pages: readonly PageKey[], claimed: ClaimedRow[]): Promise<ClaimedRow[]> {
    const asked = claimed.filter(isWithoutDevices).map(({ place }) => ({ place, ...(pages[place] as PageKey) }));
    if (asked.length === 0) return claimed;
    const found = await rowsOfDay<PendingRow>(this.database, pendingDevicesStatement(day, asked));
    const devicesOf = new Map(found.map((row) => [row.place, row]));
    return claimed.flatMap((row) => {
      if (!isWithoutDevices(row)) return row;
      const devices = devicesOf.get(row.place);
      return devices === undefined ? [] : { ...row, ...devices };
    });
  }

  /** Finds the places of those of `pages` that exist and are not finished. */
  async findOpen(pages: readonly PageKey[]): Promise<Set<number>> {
    const open = new Set<number>();
    const asked = pages.map((page, place) => ({ ...page, place }));
    for (const [day, keys] of byDay(asked)) {
      const found = await rowsOfDay<{ place: number }>(
        this.database,
        sql`SELECT a.place FROM ${keysFrom(keys, sql`"appId" text, "messageId" uuid, "pageId" uuid`)} a
            JOIN ${day.pages} p ON p.app_id = a."appId" AND p.message_id = a."messageId" AND p.id = a."pageId"
            WHERE p.state <> 'finished'`,
      );
      for (const { place } of found) open.add(place);
    }
    return open;
  }

  /** True if `claim` gives a page only to a worker that works on nothing else. */
  async isWorkedAlone({ appId, messageId, pageId }: PageKey, now: Date): Promise<boolean> {
    const found = await rowsOfDay(
      this.database,
      sql`SELECT 1 FROM ${dayOfMessage(messageId).pages} p
          WHERE p.app_id = ${appId} AND p.message_id = ${messageId} AND p.id = ${pageId} AND p.state <> 'finished'
            AND (p.state = 'waiting' OR p.wake_at <= ${now}) AND ${LOSSES} = ${parameter(ALONE_AFTER_LOSSES, 'integer')}`,
    );
    return found.length > 0;
  }

  /**
   * When a page can be claimed that could not be claimed just now: `now` if its row was locked for a moment, its own
   * time if it waits for that, the end of its lease if a worker has it.
   *
   * @returns null if the page is finished or gone: nobody has to come back for it
   */
  async findDueAt(page: PageKey, now: Date): Promise<Date | null> {
    const [appId, messageId, at] = [
      parameter(page.appId),
      parameter(page.messageId, 'uuid'),
      parameter(now, 'timestamptz'),
    ];
    const day = dayOfMessage(page.messageId);
    const [found] = await rowsOfDay<{ dueAt: Date }>(
      this.database,
      sql`SELECT CASE WHEN p.state = 'running' THEN p.wake_at
            WHEN m.status = 'cancelled' OR coalesce(p.expires_at, m.expires_at) <= ${at} THEN ${at}
            ELSE coalesce(p.not_before, ${at}) END AS "dueAt"
          FROM ${day.pages} p JOIN ${day.messages} m ON m.app_id = ${appId} AND m.id = ${messageId}
          WHERE p.app_id = ${appId} AND p.message_id = ${messageId} AND p.id = ${page.pageId} AND p.state <> 'finished'`,
    );
    return found?.dueAt ?? null;
  }

  /**
   * Records outcomes of a page that the worker goes on with. Safe to repeat. A page whose lease is over still belongs
   * to the caller until somebody else claims it. A new claim waits for the lock on the page's row, and so sees these
   * outcomes.
   *
   * @returns false if the page no longer belongs to the caller; then nothing was written
   */
  async flush(page: LeasedPage, outcomes: RecordedDeliveries, at: Date): Promise<boolean> {
    const day = dayOfMessage(page.messageId);
    const held = await rowsOfDay(
      this.database,
      sql`WITH held AS (
            SELECT app_id, message_id, vendor, attempt, 0 AS place, ${at}::timestamptz AS at,
              ${page.connectionDeviceIds ?? null}::bigint[] AS connection_device_ids
            FROM ${day.pages}
            WHERE app_id = ${page.appId} AND message_id = ${page.messageId} AND id = ${page.pageId} AND fence = ${page.fence}
              AND leased_by IS NOT NULL
            FOR NO KEY UPDATE
          ), recorded AS (${recordDeliveries({ day, page: sql`held`, outcomes: joinedOutcomes([outcomes]) })})
          SELECT 1 FROM held`,
    );
    return held.length > 0;
  }

  /**
   * Like `flush`, for a page that is tried for the first time: deliveries about which only the sending is recorded are
   * packed.
   *
   * @param isRepeated true if some of the outcomes may be recorded already: the page was claimed before, or nobody
   * knows the result of an earlier call
   */
  async flushPacked(page: LeasedPage, outcomes: RecordedDeliveries, at: Date, isRepeated: boolean): Promise<boolean> {
    return recordPacked(this.database, { page, outcomes, at, isRepeated });
  }

  /**
   * Ends a caller's work on a page, in one step: records the last outcomes, writes the retry pages, and finishes the
   * page or makes its remainder wait.
   *
   * @returns false if the page no longer belongs to the caller; then nothing was written
   */
  async settle(executor: Executor, page: LeasedPage, settlement: Settlement): Promise<boolean> {
    const statement = settlePagesStatement(dayOfMessage(page.messageId), [{ page, settlement }], {
      whenLocked: 'waits',
    });
    return (await rowsOfDay(executor, statement)).length > 0;
  }

  /**
   * Like `settle`, for several pages at once, each independent of the others.
   *
   * @param also what is written together with the ends of the pages of one day; without it there is no transaction
   * @param whenLocked with `leaves-out` (the default), pages whose rows are locked at the moment are left out, so that nobody
   * waits for another page's owner
   * @returns an answer for each, in the order of `endings`; false: nothing was written, because the page no longer belongs to the
   * caller, or was left out
   */
  async settleMany(
    endings: readonly PageEnding[],
    also?: WithEndings,
    whenLocked: WhenLocked = 'leaves-out',
  ): Promise<boolean[]> {
    const settled = new Set<PageEnding>();
    const asked = inLockOrder(endings.map((ending) => ({ ending, ...ending.page })));
    const ofDay = async ([day, items]: [LedgerDay, typeof asked]): Promise<void> => {
      const ofThisDay = items.map(({ ending }) => ending);
      const ended =
        also === undefined
          ? await this.#settleOfDay(this.database, day, ofThisDay, { whenLocked })
          : await inTransaction(this.database, async (executor) => {
              const pages = await this.#settleOfDay(executor, day, ofThisDay, { whenLocked, withDevices: true });
              if (pages.length > 0) await also(executor, pages);
              return pages;
            });
      for (const { ending } of ended) settled.add(ending);
    };
    await Promise.all(byDay(asked).map(ofDay));
    return endings.map((ending) => settled.has(ending));
  }

  async #settleOfDay(
    executor: Executor,
    day: LedgerDay,
    endings: readonly PageEnding[],
    options: SettleOptions,
  ): Promise<EndedPage[]> {
    const statement = settlePagesStatement(day, endings, options);
    const found = await rowsOfDay<{ place: number; deviceIds?: DeviceId[] }>(executor, statement);
    return found.map(({ place, deviceIds = [] }) => ({ ending: endings[place] as PageEnding, deviceIds }));
  }

  /**
   * Locks the devices of a page until the transaction ends, in which the page is settled. @returns their ids; empty if
   * the page is gone
   */
  async lockDevices(executor: Executor, { appId, messageId, pageId }: PageKey): Promise<DeviceId[]> {
    const [page] = await rows<{ ids: DeviceId[] }>(
      executor,
      sql`SELECT device_ids AS ids FROM pages
          WHERE app_id = ${appId} AND message_id = ${messageId} AND id = ${pageId} FOR NO KEY UPDATE`,
    );
    return page?.ids ?? [];
  }

  /**
   * Renews the leases of all pages that a worker has. A lease that was over is renewed too, unless somebody else
   * claimed the page.
   *
   * @returns the ids of the pages that still belong to the worker
   */
  async renewLeases(pages: readonly LeasedPage[], { leasedBy, leaseUntil }: Renewal): Promise<Set<string>> {
    const kept = new Set<string>();
    for (const [day, held] of byDay(pages)) {
      const keys = inLockOrder(held).map(({ appId, messageId, pageId, fence }, place) => ({
        place,
        appId,
        messageId,
        pageId,
        fence,
      }));
      const renewed = await rowsOfDay<{ id: string }>(
        this.database,
        sql`UPDATE ${day.pages} p
            SET state = 'running', wake_at = ${leaseUntil}
            FROM ${keysFrom(keys, sql`"appId" text, "messageId" uuid, "pageId" uuid, fence integer`)} held
            WHERE p.app_id = held."appId" AND p.message_id = held."messageId" AND p.id = held."pageId" AND p.fence = held.fence
              AND p.leased_by = ${leasedBy}
            RETURNING p.id`,
      );
      for (const { id } of renewed) kept.add(id);
    }
    return kept;
  }

  /**
   * Takes back the losses of `pages` whose leases ended, or are about to end, without a result although their owner is
   * alive: it could not renew them, or it gave the page up. A page that nobody has claimed since waits again, without
   * an owner. A page that was claimed since has one loss less. Call it once for each lease.
   */
  async undoLosses(pages: readonly LeasedPage[], leasedBy: string): Promise<void> {
    await rows(this.database, undoLossesStatement(pages, leasedBy));
  }

  /**
   * Gives back pages that a worker may have claimed without knowing it, because its claim failed. The end of the lease
   * tells that claim from every other one. No worker was lost over these pages.
   */
  async giveBackUnknown(claims: readonly UnknownClaim[], leasedBy: string): Promise<void> {
    await rows(this.database, giveBackUnknownStatement(claims, leasedBy));
  }

  /**
   * Finds pages that are due for recovery, the longest due first: never enqueued or lost with Redis, their retry due,
   * or their lease over. A page that waits for its time is found a little before it, or at once (`notBefore` is null) if its
   * message ends earlier. Pages of connections are not included.
   */
  async findDue(now: Date, limit: number): Promise<DuePage[]> {
    return recurringRows<DuePage>(
      this.database,
      sql`SELECT app_id AS "appId", message_id AS "messageId", id AS "pageId", vendor, lane,
            CASE WHEN ${isAboutTime(sql`pages`)} THEN not_before END AS "notBefore"
          ${duePages(now)} ORDER BY wake_at LIMIT ${limit}`,
    );
  }

  /**
   * Releases those of `pages` whose lease is over: each waits from now on, so that it can be claimed at any time. Until
   * then it still belongs to its former owner, who may come back. Pages that are still due are checked again at
   * `wakeAt`, or shortly after their time if they were found because of it. Locked pages are left out and stay due: a
   * worker writes them. Otherwise this could deadlock with a worker that renews its leases.
   */
  async releaseOverdue(pages: readonly PageKey[], { now, wakeAt }: { now: Date; wakeAt: Date }): Promise<void> {
    for (const [day, ofDay] of byDay(pages)) {
      const at = parameter(now);
      const asked = placedPages(ofDay.map((page, place) => ({ ...page, place })));
      await rowsOfDay(
        this.database,
        sql`WITH free AS MATERIALIZED (${freeAmong(asked, day)})
            UPDATE ${day.pages} p
            SET state = 'waiting', wake_at = CASE WHEN p.not_before > ${at} AND ${isAboutTime(sql`p`)} THEN p.not_before + interval '1 second'
              ELSE ${wakeAt} END
            FROM free due
            WHERE p.app_id = due.app_id AND p.message_id = due.message_id AND p.id = due.id
              AND p.wake_at <= ${at} AND p.state <> 'finished'`,
      );
    }
  }

  /**
   * Makes pages and messages that are due, now or soon, due for recovery at once, because their jobs are lost. Work
   * that a worker has, or that waits for a later moment, is left alone. Recovery puts a check off by a minute at most,
   * so later work need not be read.
   */
  async wakeDueWork(at: Date): Promise<WokenWork> {
    return wakeDueWork(this.database, at);
  }

  /**
   * Ends waiting pages of those of `messages` that were cancelled, at most `limit`: every device without an outcome
   * gets its delivery row, and a former owner of the page can write nothing any more. A worker ends the pages that it
   * has. Locked pages are left out.
   *
   * @returns the number of ended pages
   */
  async endCancelled(messages: readonly MessageKey[], at: Date, limit: number): Promise<number> {
    let ended = 0;
    for (const [day, ofDay] of byDay(messages)) {
      if (ended >= limit) break;
      ended += await inTransaction(this.database, (executor) =>
        endCancelledPages(executor, day, { messages: ofDay, at, limit: limit - ended }),
      );
    }
    return ended;
  }
}
