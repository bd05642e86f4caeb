import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { type DeviceId, deliveryStateRank } from '@postrider/domain';
import { type Database, DATABASE, type Executor, inTransaction, rows } from '../database/executor';
import { rowsPlannedOnce, recurringRows } from '../database/prepared-rows';
import type { MessageKey } from '../partitions/message-key';
import { byDay, keysFrom, type LedgerDay, rowsOfDay } from '../partitions/ledger-day';
import { literal, parameter, sql, type Sql } from '../sql';
import { type DevicesOfMessage, insertFailedEvents } from '../webhooks/failed-events';
import {
  findUnsentStatement,
  keepUnsentStatement,
  lockUnsentStatement,
  type UnsentPlace,
} from './keep-unsent.statement';
import {
  type DueConnectionPage,
  findConnectionPagesStatement,
  type OpeningLimits,
  openConnectionPagesStatement,
  type PagesToOpen,
} from './open-connection-pages.statement';
import {
  endLatePagesStatement,
  findLateDeliveriesStatement,
  findLatePagesStatement,
  rerouteStatement,
  type Rerouted,
  type RerouteLimits,
} from './reroute.statement';
import {
  findHintedStatement,
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
  writtenHere,
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
type FailedPublish = Publish & { state: 'failed' | 'skipped'; errorCode: string; reason: string };

/** The beginning of what waits for devices. */
export interface ReadWaiting {
  waiting: WaitingMessage[];
  /** Devices that may have more: they were read up to this message. */
  cuts: { appId: string; deviceId: DeviceId; lastId: string }[];
}

/** A page is locked until the end of a statement only. */
const LOOK_AGAIN_MS = 5;
const MOST_LOOKS = 200;

/** The least number of pages that one run of rerouting takes, however large pages are. */
const LEAST_PAGES = 4;

/**
 * Deliveries that were routed to devices' own connections: those that wait there, on pages that an edge holds or with
 * rows of their own, their outcomes, and their rerouting to a vendor if the device does not acknowledge them.
 */
@Injectable()
export class WaitingDeliveriesRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Finds what was routed to connections of an edge and has no outcome yet, oldest first: at most about `limit`
   * deliveries on pages, and as many with rows of their own; of each day, if the messages are named. For a page that is
   * not in `knownPageIds`, devices with an outcome are left out.
   */
  async findOnEdge(edgeId: string, ask: WaitingAsk, limit: number): Promise<WaitingMessage[]> {
    const read = { edgeId, limit };
    if ('knownPageIds' in ask)
      return recurringRows<WaitingMessage>(this.database, findWaitingOnEdgeStatement(ask.knownPageIds, read));
    const found: WaitingMessage[] = [];
    for (const [day, hinted] of byDay([...ask.messageIds].sort().map((messageId) => ({ messageId })))) {
      const messageIds = hinted.map(({ messageId }) => messageId);
      found.push(...(await rowsOfDay<WaitingMessage>(this.database, findHintedStatement(day, messageIds, read))));
    }
    return found;
  }

  /**
   * Reads what waits for devices from a message on, in one statement: for each device the first `limit` deliveries or
   * somewhat fewer. These are the ones that wait for its connection, whether or not a vendor has them too, and those on
   * pages of any edge. It includes messages that expired or were cancelled: the caller, who reads them anyway, leaves
   * them out.
   */
  async readWaiting(devices: readonly WaitingToRead[], limit: number): Promise<ReadWaiting> {
    const read = await rowsPlannedOnce<WaitingMessage & { isCut: boolean }>(
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
   * Writes the delivery rows of devices on pages that an edge holds, each once, with its outcome. It also counts the
   * delivered ones by hour and platform, and ends the fallback SMS that are no longer needed, in one statement. Whoever
   * ends such a page waits for the statement. Webhooks are told of failed ones.
   *
   * @param pages in the order of application, message and page, in which they are locked
   * @returns those that were not written here
   */
  async recordOutcomes(pages: readonly EdgeOutcomes[], end: EdgeEnd, now: Date): Promise<NotOnEdge[]> {
    const notHeld: NotOnEdge[] = [];
    for (const [day, ofDay] of byDay(pages.map((page, place) => ({ ...page, place })))) {
      const left = await this.#recordOutcomesOfDay(day, ofDay, end, now);
      notHeld.push(...left.map(({ place, deviceId }) => ({ place: ofDay[place]?.place ?? place, deviceId })));
    }
    return notHeld;
  }

  async #recordOutcomesOfDay(
    day: LedgerDay,
    pages: readonly EdgeOutcomes[],
    end: EdgeEnd,
    now: Date,
  ): Promise<NotOnEdge[]> {
    const statement = recordEdgeOutcomesStatement(day, pages, end, now);
    if (end.state !== 'failed') return rowsOfDay<NotOnEdge>(this.database, statement);
    return inTransaction(this.database, async (executor) => {
      const notHeld = await rowsOfDay<NotOnEdge>(executor, statement);
      await insertFailedEvents(executor, writtenHere(pages, notHeld));
      return notHeld;
    });
  }

  /**
   * Records the languages of published deliveries that have a row already. Call it before their outcomes are recorded.
   */
  async nameLanguages(publishes: readonly PublishInLanguage[]): Promise<void> {
    for (const [day, ofDay] of byDay(inDeliveryOrder(publishes))) {
      await rowsOfDay(
        this.database,
        sql`UPDATE ${day.deliveries} d SET language = p.language
            FROM ${publishesFrom(ofDay, sql`, language text`)} p
            WHERE ${IS_ROW_OF} AND d.language IS DISTINCT FROM p.language`,
      );
    }
  }

  /** Records deliveries that no device acknowledges (QoS 0) as sent. Nobody will ever know more about them. */
  async recordSent(publishes: readonly Publish[], now: Date): Promise<void> {
    const at = parameter(now);
    const rank = parameter(deliveryStateRank('sent'));
    for (const [day, ofDay] of byDay(inDeliveryOrder(publishes))) {
      await rowsOfDay(
        this.database,
        sql`UPDATE ${day.deliveries} d
            SET state = 'sent', rank = ${rank}, reason = NULL, edge_id = NULL, sent_at = ${at}, updated_at = ${at}
            FROM ${publishesFrom(ofDay)} p
            WHERE ${IS_ROW_OF} AND d.rank < ${rank}`,
      );
    }
  }

  /**
   * Ends deliveries that can never be published to their device. Webhooks are told of failed ones, except of those that
   * a vendor was to have as well: the end of their page tells of them.
   */
  async fail(publishes: readonly FailedPublish[], now: Date): Promise<void> {
    for (const [day, ofDay] of byDay(inDeliveryOrder(publishes))) {
      const statement = sql`
        WITH ended AS (
          UPDATE ${day.deliveries} d
          SET state = p.state, rank = ${literal(deliveryStateRank('failed'))}, error_code = p."errorCode", reason = p.reason,
            edge_id = NULL, updated_at = ${now}
          FROM ${publishesFrom(ofDay, sql`, state text, "errorCode" text, reason text`)} p
          WHERE ${IS_ROW_OF} AND d.state = 'pending'
          RETURNING d.app_id, d.message_id, d.device_id, d.state, d.vendor
        )
        SELECT app_id AS "appId", message_id AS "messageId", array_agg(device_id::text) AS "deviceIds" FROM ended
        WHERE state = 'failed' AND vendor = 'connection' GROUP BY app_id, message_id`;
      await inTransaction(this.database, async (executor) => {
        await insertFailedEvents(executor, await rowsOfDay<DevicesOfMessage>(executor, statement));
      });
    }
  }

  /**
   * Ends the waiting for a connection of those of these deliveries that a vendor had too: the connection has acknowledged
   * them as well.
   */
  async endKept(publishes: readonly Publish[]): Promise<void> {
    for (const [day, ofDay] of byDay(inDeliveryOrder(publishes))) {
      await rowsOfDay(
        this.database,
        sql`UPDATE ${day.deliveries} d SET in_inbox = NULL FROM ${publishesFrom(ofDay)} p WHERE ${IS_ROW_OF} AND d.in_inbox`,
      );
    }
  }

  /**
   * Gives devices that use their connection what a push service has not accepted yet, whether or not a worker has the
   * page: workers may be busy or away, and a service may be slow, hang or be down. The connection waits for none of
   * them. The page stays. A worker that claims it later leaves out devices that have acknowledged the message by then;
   * a worker that already has it pushes to them as well. Paced messages and messages in quiet hours wait here as well,
   * and messages with frequency caps wait until the caps were checked.
   */
  async keepUnsent(devices: readonly { appId: string; deviceId: DeviceId }[], now: Date): Promise<void> {
    if (devices.length === 0) return;
    let places = await rowsPlannedOnce<UnsentPlace>(this.database, findUnsentStatement(devices, now));
    for (let looks = 0; places.length > 0 && looks < MOST_LOOKS; looks++) {
      if (looks > 0) await pause(LOOK_AGAIN_MS);
      const looked = places;
      places = await inTransaction(this.database, (executor) => keepUnsentOf(executor, looked, now));
    }
  }

  /**
   * Finds pages of devices whose own connection gets them from now on, the longest due first, with what the
   * application's frequency caps need to know.
   */
  findConnectionPages(limits: OpeningLimits): Promise<DueConnectionPage[]> {
    return recurringRows<DueConnectionPage>(this.database, findConnectionPagesStatement(limits));
  }

  /**
   * Makes messages wait for devices whose own connection gets them from now on: each device on the pages gets its
   * delivery row. If the message was cancelled or expired meanwhile, the row says so; a device that has another owner
   * by now is skipped.
   *
   * @returns the messages, one entry for each page
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
   * Handles deliveries that were routed to a connection before `routedBefore` and that the device has not acknowledged.
   * If the device has a usable token of a configured vendor, and the message may be sent there, the delivery goes on a
   * page of that vendor, and also waits for the connection. Otherwise it waits for the connection only. Each delivery
   * is handled once, by one caller, whatever happened to its edge. Pages of an edge end with that: each of their
   * devices then has its row.
   *
   * @returns `deliveries` is `limit` if there may be more
   */
  async reroute(limits: RerouteLimits): Promise<Rerouted> {
    const done = await this.#endLatePages(limits);
    for (const day of await this.#daysOf(findLateDeliveriesStatement(limits))) {
      const [rerouted] = await rows<Rerouted>(this.database, rerouteStatement(day, limits));
      done.deliveries += rerouted?.deliveries ?? 0;
      done.pages.push(...(rerouted?.pages ?? []));
    }
    return { ...done, deliveries: Math.min(limits.limit, done.deliveries) };
  }

  /**
   * Ends pages that an edge has held since before `routedBefore`, oldest first: each device without an outcome gets its
   * delivery row, and a place on a page of its vendor if it has one that the message may be sent to. Deliveries whose
   * message was cancelled, has expired or was for another owner of the device end with that state. A page on which
   * outcomes are being recorded is left to the next run.
   */
  async #endLatePages(limits: RerouteLimits): Promise<Rerouted> {
    const most = Math.max(LEAST_PAGES, Math.ceil(limits.limit / limits.pageSize));
    const done: Rerouted = { deliveries: 0, pages: [] };
    for (const day of await this.#daysOf(findLatePagesStatement(limits, most))) {
      const [late] = await rows<Rerouted & { ended: number }>(this.database, endLatePagesStatement(day, limits, most));
      done.deliveries += late?.ended === most ? limits.limit : (late?.deliveries ?? 0);
      done.pages.push(...(late?.pages ?? []));
    }
    return done;
  }

  /**
   * The days of the messages that a statement finds. That statement is planned once and mostly finds none. What follows
   * on a day is planned each time, over that day only, by what the day holds.
   */
  async #daysOf(find: Sql): Promise<LedgerDay[]> {
    return byDay(await recurringRows<{ messageId: string }>(this.database, find)).map(([day]) => day);
  }
}

/**
 * Sorts publishes in the order in which everybody locks several deliveries: by message and device
 * (`MessagesRepository.endWaiting`).
 */
function inDeliveryOrder<One extends Publish>(publishes: readonly One[]): One[] {
  return [...publishes].sort((one, other) => {
    if (one.messageId !== other.messageId) return one.messageId < other.messageId ? -1 : 1;
    return Number(BigInt(one.deviceId) - BigInt(other.deviceId));
  });
}

/** The publishes of one day as rows `p`. Each delivery is looked up by its key, however many its message has. */
function publishesFrom(publishes: readonly Publish[], more: Sql = sql``): Sql {
  const keys = publishes.map((one, place) => ({ place, ...one }));
  return keysFrom(keys, sql`"appId" text, "messageId" uuid, "deviceId" bigint${more}`);
}

/** A condition: the delivery `d` is that of the publish `p`. */
const IS_ROW_OF = sql`d.app_id = p."appId" AND d.message_id = p."messageId" AND d.device_id = p."deviceId"`;

/** @returns the places whose page another transaction had locked */
async function keepUnsentOf(executor: Executor, places: readonly UnsentPlace[], now: Date): Promise<UnsentPlace[]> {
  const left: UnsentPlace[] = [];
  for (const [day, ofDay] of byDay(places)) {
    const found = await rowsOfDay<UnsentPlace & { isLocked: boolean }>(executor, lockUnsentStatement(day, ofDay, now));
    const locked = found.filter(({ isLocked }) => isLocked);
    if (locked.length > 0) await rowsOfDay(executor, keepUnsentStatement(day, locked, now));
    left.push(...found.filter(({ isLocked }) => !isLocked));
  }
  return left;
}
