import { Inject, Injectable } from '@nestjs/common';
import { deliveryStateRank } from '@postrider/domain';
import { type Database, DATABASE, rows } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import { literal, parameter, sql, type Sql } from '../sql';
import { endLatePagesStatement } from './end-late-pages.statement';
import { findWaitingOnEdgeStatement, type WaitingAsk, type WaitingMessage } from './find-waiting-on-edge.statement';
import { handToVendorsStatement } from './hand-to-vendors.statement';
import type { HandedOver, HandOverTurn } from './handed-pages';
import {
  type HeldEnd,
  type HeldOutcomes,
  type NotHeld,
  recordHeldOutcomesStatement,
} from './record-held-outcomes.statement';
import { type InboxToRead, readInboxesStatement } from './read-inboxes.statement';

/** A delivery that was written to a connection. */
export interface Publish {
  appId: string;
  messageId: string;
  deviceId: string;
}

/** A delivery that can never be published to its device, and why. */
export type FailedPublish = Publish & { state: 'failed' | 'skipped'; errorCode: string; reason: string };

/** The beginning of inboxes. */
export interface ReadInboxes {
  waiting: WaitingMessage[];
  /** Devices that may have more: after this message they were not read. */
  cuts: { appId: string; deviceId: string; lastId: string }[];
}

/** What one turn of handing to vendors takes at least, however large pages are. */
const LEAST_PAGES = 4;

/**
 * Deliveries that were routed to devices' own connections: what waits there, on pages that an edge holds or with a row of its own,
 * what becomes of it, and how it goes to a vendor when nobody acknowledges it.
 */
@Injectable()
export class HeldDeliveriesRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * What was routed to connections of an edge and has no outcome yet, oldest first: at most about `limit` deliveries on pages,
   * and as many with a row of their own. Of a page that is not among `knownPageIds`, devices that have an outcome are left out.
   */
  async findOnEdge(edgeId: string, ask: WaitingAsk, limit: number): Promise<WaitingMessage[]> {
    return preparedRows<WaitingMessage>(this.database, findWaitingOnEdgeStatement(edgeId, ask, limit));
  }

  /**
   * The inboxes of devices from a message on, all in one statement: of each the first `limit` deliveries or somewhat fewer, those
   * that wait for its connection, whether or not a vendor has them too, and what stands for it on pages of any edge. Messages that
   * expired or were cancelled are left to the caller: it reads them anyway.
   */
  async readInboxes(devices: readonly InboxToRead[], limit: number): Promise<ReadInboxes> {
    const read = await preparedRows<WaitingMessage & { isCut: boolean }>(
      this.database,
      readInboxesStatement(devices, limit),
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
  async recordOutcomes(pages: readonly HeldOutcomes[], end: HeldEnd, now: Date): Promise<NotHeld[]> {
    return preparedRows<NotHeld>(this.database, recordHeldOutcomesStatement(pages, end, now));
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

  /** Takes deliveries that a vendor had too out of the inbox: the connection has acknowledged them as well. */
  async takeOutOfInboxes(publishes: readonly Publish[]): Promise<void> {
    const { columns, areRowsOf } = keysOf(publishes);
    await preparedRows(
      this.database,
      sql`UPDATE deliveries d SET in_inbox = NULL
          FROM unnest(${columns}) AS p (app_id, message_id, device_id)
          WHERE ${areRowsOf}`,
    );
  }

  /**
   * Looks after deliveries that were routed to a connection before `routedBefore` and that it has not acknowledged. Where the
   * device has a usable token of a configured vendor, and the message may go there, the delivery goes on a page of that
   * vendor; it stays in the inbox as well. Any other waits on in the inbox alone. Each delivery is looked at once, by one
   * caller, whatever became of its edge. Pages that an edge holds end with that: each of their devices has its row then.
   *
   * @returns `deliveries` is `limit` when there may be more
   */
  async handToVendors(turn: HandOverTurn): Promise<HandedOver> {
    const fromPages = await this.#endLatePages(turn);
    const [fromRows] = await rows<HandedOver>(this.database, handToVendorsStatement(turn));
    return {
      deliveries: Math.min(turn.limit, fromPages.deliveries + (fromRows?.deliveries ?? 0)),
      pages: [...fromPages.pages, ...(fromRows?.pages ?? [])],
    };
  }

  /**
   * Ends pages that an edge holds since before `routedBefore`, oldest first: each device without an outcome gets its delivery
   * row, and a place on a page of its vendor where it has one that the message may go to. What was cancelled, has expired or
   * was for another owner of the device ends so. A page that is being recorded on at the moment is left to the next turn.
   */
  async #endLatePages(turn: HandOverTurn): Promise<HandedOver> {
    const most = Math.max(LEAST_PAGES, Math.ceil(turn.limit / turn.pageSize));
    const statement = endLatePagesStatement(turn, most);
    const [ended] = await rows<HandedOver & { ended: number }>(this.database, statement);
    if (ended === undefined) return { deliveries: 0, pages: [] };
    return { deliveries: ended.ended === most ? turn.limit : ended.deliveries, pages: ended.pages };
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
