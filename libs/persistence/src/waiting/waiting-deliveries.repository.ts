import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { type DeviceId, deliveryStateRank } from '@postrider/domain';
import { type Database, DATABASE, type Executor, inTransaction, rows } from '../database/executor';
import { preparedRows, sweepRows } from '../database/prepared-rows';
import type { MessageKey } from '../messages/message-key';
import { byDay, type LedgerDay } from '../partitions/ledger-day';
import { literal, parameter, sql, type Sql } from '../sql';
import {
  findUnsentStatement,
  keepUnsentStatement,
  lockUnsentStatement,
  type UnsentPlace,
} from './keep-unsent.statement';
import {
  type DueConnectionPage,
  findConnectionPagesStatement,
  type OpeningTurn,
  openConnectionPagesStatement,
  type PagesToOpen,
} from './open-connection-pages.statement';
import {
  endLatePagesStatement,
  findLateDeliveriesStatement,
  findLatePagesStatement,
  rerouteStatement,
  type Rerouted,
  type RerouteTurn,
} from './reroute.statement';
import {
  findWaitingOnEdgeStatement,
  type WaitingAsk,
  type WaitingMessage,
  type WaitingToRead,
  readWaitingStatement,
} from './find-waiting.statement';
import {
  type EdgeEnd,
  type EdgeOutcomes,
  type NotOnEdge,
  recordEdgeOutcomesStatement,
} from './record-edge-outcomes.statement';

/** A delivery that was written to a connection. */
export interface Publish {
  appId: string;
  messageId: string;
  deviceId: DeviceId;
}

/** A delivery of a message with languages. */
export type PublishInLanguage = Publish & { language: string };

/** A delivery that can never be published to its device, and why. */
export type FailedPublish = Publish & { state: 'failed' | 'skipped'; errorCode: string; reason: string };

/** The beginning of what waits for devices. */
export interface ReadWaiting {
  waiting: WaitingMessage[];
  /** Devices that may have more: after this message they were not read. */
  cuts: { appId: string; deviceId: DeviceId; lastId: string }[];
}

/** Whoever has a page locked lets go of it at the end of a statement. */
const LOOK_AGAIN_MS = 5;
const MOST_LOOKS = 200;

/** What one turn of handing to vendors takes at least, however large pages are. */
const LEAST_PAGES = 4;

/**
 * Deliveries that were routed to devices' own connections: what waits there, on pages that an edge holds or with a row of its own,
 * what becomes of it, and how it goes to a vendor when nobody acknowledges it.
 */
@Injectable()
export class WaitingDeliveriesRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * What was routed to connections of an edge and has no outcome yet, oldest first: at most about `limit` deliveries on pages,
   * and as many with a row of their own. For a page not in `knownPageIds`, devices with an outcome are left out.
   */
  async findOnEdge(edgeId: string, ask: WaitingAsk, limit: number): Promise<WaitingMessage[]> {
    return preparedRows<WaitingMessage>(this.database, findWaitingOnEdgeStatement(edgeId, ask, limit));
  }

  /**
   * What waits for devices from a message on, all in one statement: of each the first `limit` deliveries or somewhat fewer, those
   * that wait for its connection, whether or not a vendor has them too, and what stands for it on pages of any edge. Messages that
   * expired or were cancelled are left to the caller: it reads them anyway.
   */
  async readWaiting(devices: readonly WaitingToRead[], limit: number): Promise<ReadWaiting> {
    const read = await preparedRows<WaitingMessage & { isCut: boolean }>(
      this.database,
      readWaitingStatement(devices, limit),
    );
    return {
      waiting: read.flatMap(({ isCut, ...waiting }) => (isCut ? [] : [waiting])),
      cuts: read.flatMap(({ isCut, appId, messageId, deviceIds }) =>
        isCut ? (deviceIds ?? []).map((deviceId) => ({ appId, deviceId, lastId: messageId })) : [],
      ),
    };
  }

  /**
   * Writes the delivery rows of devices on pages that an edge holds, each once, with its outcome; counts those that were
   * delivered by hour and platform, and ends the fallback SMS that they make needless: all in one statement. Whoever ends such
   * a page waits for it.
   *
   * @param pages in the order of application, message and page, in which they are locked
   * @returns those that were not written here
   */
  async recordOutcomes(pages: readonly EdgeOutcomes[], end: EdgeEnd, now: Date): Promise<NotOnEdge[]> {
    return preparedRows<NotOnEdge>(this.database, recordEdgeOutcomesStatement(pages, end, now));
  }

  /** Notes the languages that deliveries were published in which have a row already; to be called before what became of them is recorded. */
  async nameLanguages(publishes: readonly PublishInLanguage[]): Promise<void> {
    const { columns, areRowsOf } = keysOf(publishes);
    await preparedRows(
      this.database,
      sql`UPDATE deliveries d SET language = p.language
          FROM unnest(${columns}, ${publishes.map(({ language }) => language)}::text[])
            AS p (app_id, message_id, device_id, language)
          WHERE ${areRowsOf} AND d.language IS DISTINCT FROM p.language`,
    );
  }

  /** Records deliveries that no device acknowledges (QoS 0): sent, as far as anybody will ever know. */
  async recordSent(publishes: readonly Publish[], now: Date): Promise<void> {
    const [sent, at] = [keysOf(publishes), parameter(now)];
    const rank = parameter(deliveryStateRank('sent'));
    await preparedRows(
      this.database,
      sql`UPDATE deliveries d
          SET state = 'sent', rank = ${rank}, reason = NULL, edge_id = NULL, sent_at = ${at}, updated_at = ${at}
          FROM unnest(${sent.columns}) AS p (app_id, message_id, device_id)
          WHERE ${sent.areRowsOf} AND d.rank < ${rank}`,
    );
  }

  /** Ends deliveries that can never be published to their device. */
  async fail(publishes: readonly FailedPublish[], now: Date): Promise<void> {
    const { columns, areRowsOf } = keysOf(publishes);
    const states = publishes.map(({ state }) => state);
    const codes = publishes.map(({ errorCode }) => errorCode);
    const reasons = publishes.map(({ reason }) => reason);
    await preparedRows(
      this.database,
      sql`UPDATE deliveries d
          SET state = p.state, rank = ${literal(deliveryStateRank('failed'))}, error_code = p.error_code, reason = p.reason,
            edge_id = NULL, updated_at = ${now}
          FROM unnest(${columns}, ${states}::text[], ${codes}::text[], ${reasons}::text[])
            AS p (app_id, message_id, device_id, state, error_code, reason)
          WHERE ${areRowsOf} AND d.state = 'pending'`,
    );
  }

  /** Deliveries that a vendor had too wait for the connection no more: it has acknowledged them as well. */
  async endKept(publishes: readonly Publish[]): Promise<void> {
    const { columns, areRowsOf } = keysOf(publishes);
    await preparedRows(
      this.database,
      sql`UPDATE deliveries d SET in_inbox = NULL
          FROM unnest(${columns}) AS p (app_id, message_id, device_id)
          WHERE ${areRowsOf}`,
    );
  }

  /**
   * Puts what a push service has not taken yet before devices that use their connection, whether a worker has the page in
   * hand or not: workers may be busy or away, a service may be slow, hang or be down, and the connection waits for none of them. The page goes on. Whoever claims it later leaves out the devices that have acknowledged the message by then; whoever
   * has it in hand already pushes to them as well. What is paced or has its quiet hours waits for those here as well, and what
   * frequency caps have a say about waits until they were asked.
   */
  async keepUnsent(devices: readonly { appId: string; deviceId: DeviceId }[], now: Date): Promise<void> {
    if (devices.length === 0) return;
    let places = await preparedRows<UnsentPlace>(this.database, findUnsentStatement(devices, now));
    for (let looks = 0; places.length > 0 && looks < MOST_LOOKS; looks++) {
      if (looks > 0) await pause(LOOK_AGAIN_MS);
      const looked = places;
      places = await inTransaction(this.database, (executor) => keepUnsentOf(executor, looked, now));
    }
  }

  /**
   * Pages of devices whose own connection gets them from now on, longest due first, with what the application's frequency caps
   * have to know of them.
   */
  findConnectionPages(turn: OpeningTurn): Promise<DueConnectionPage[]> {
    return sweepRows<DueConnectionPage>(this.database, findConnectionPagesStatement(turn));
  }

  /**
   * Has messages wait for devices whose own connection gets them from now on: each device on the pages gets its
   * delivery row. Those of a message that was cancelled or expired meanwhile end so; a device that has another
   * owner by now is skipped.
   *
   * @returns the messages, one entry a page
   */
  async openConnectionPages({ pages, capped }: PagesToOpen, now: Date): Promise<MessageKey[]> {
    const opened: MessageKey[] = [];
    for (const [day, ofDay] of byDay(pages)) {
      const statement = openConnectionPagesStatement(day, { pages: ofDay, capped }, now);
      opened.push(...(await rows<MessageKey>(this.database, statement)));
    }
    return opened;
  }

  /**
   * Looks after deliveries that were routed to a connection before `routedBefore` and that it has not acknowledged. Where the
   * device has a usable token of a configured vendor, and the message may go there, the delivery goes on a page of that
   * vendor; it waits for the connection as well. Any other waits on for the connection alone. Each delivery is looked at once, by one
   * caller, whatever became of its edge. Pages that an edge holds end with that: each of their devices has its row then.
   *
   * @returns `deliveries` is `limit` when there may be more
   */
  async reroute(turn: RerouteTurn): Promise<Rerouted> {
    const done = await this.#endLatePages(turn);
    for (const day of await this.#daysOf(findLateDeliveriesStatement(turn))) {
      const [rerouted] = await rows<Rerouted>(this.database, rerouteStatement(day, turn));
      done.deliveries += rerouted?.deliveries ?? 0;
      done.pages.push(...(rerouted?.pages ?? []));
    }
    return { ...done, deliveries: Math.min(turn.limit, done.deliveries) };
  }

  /**
   * Ends pages that an edge holds since before `routedBefore`, oldest first: each device without an outcome gets its delivery
   * row, and a place on a page of its vendor where it has one that the message may go to. What was cancelled, has expired or
   * was for another owner of the device ends so. A page that is being recorded on at the moment is left to the next turn.
   */
  async #endLatePages(turn: RerouteTurn): Promise<Rerouted> {
    const most = Math.max(LEAST_PAGES, Math.ceil(turn.limit / turn.pageSize));
    const done: Rerouted = { deliveries: 0, pages: [] };
    for (const day of await this.#daysOf(findLatePagesStatement(turn, most))) {
      const [late] = await rows<Rerouted & { ended: number }>(this.database, endLatePagesStatement(day, turn, most));
      done.deliveries += late?.ended === most ? turn.limit : (late?.deliveries ?? 0);
      done.pages.push(...(late?.pages ?? []));
    }
    return done;
  }

  /**
   * The days of the messages that a statement finds. It is planned once and mostly finds none; what is then done on a day is planned
   * over that day alone, each time, by what the day holds.
   */
  async #daysOf(find: Sql): Promise<LedgerDay[]> {
    return byDay(await sweepRows<{ messageId: string }>(this.database, find)).map(([day]) => day);
  }
}

/** The keys of deliveries as columns for `unnest`, and the condition that rows `d` are those of `p`, by the partitions that they are in. */
function keysOf(publishes: readonly Publish[]): { columns: Sql; areRowsOf: Sql } {
  const messageIds = parameter(publishes.map(({ messageId }) => messageId));
  const appIds = publishes.map(({ appId }) => appId);
  const deviceIds = publishes.map(({ deviceId }) => deviceId);
  return {
    columns: sql`${appIds}::text[], ${messageIds}::uuid[], ${deviceIds}::bigint[]`,
    areRowsOf: sql`d.app_id = p.app_id AND d.message_id = p.message_id AND d.device_id = p.device_id
            AND d.message_id = ANY (${messageIds}::uuid[])`,
  };
}

/** @returns the places whose page somebody else had locked */
async function keepUnsentOf(executor: Executor, places: readonly UnsentPlace[], now: Date): Promise<UnsentPlace[]> {
  const found = await preparedRows<UnsentPlace & { isLocked: boolean }>(executor, lockUnsentStatement(places, now));
  const locked = found.filter(({ isLocked }) => isLocked);
  if (locked.length > 0) await preparedRows(executor, keepUnsentStatement(locked, now));
  return found.filter(({ isLocked }) => !isLocked);
}
