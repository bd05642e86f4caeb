import { Inject, Injectable } from '@nestjs/common';
import { deliveryStateRank } from '@postrider/domain';
import { type Database, DATABASE, type Executor, rows } from '../database/executor';
import { recurringRows } from '../database/prepared-rows';
import { batchRows } from '../database/statement-batch';
import { byDay, keysFrom, type LedgerDay, rowsOfDay } from '../partitions/ledger-day';
import { parameter, sql, type Sql } from '../sql';
import { recordDoneMessages } from '../webhooks/event-inserts';
import type { MessageFilter } from './message-filter';
import { inLockOrder, type MessageKey } from '../partitions/message-key';
import {
  type AskedToPublish,
  type MessageToPublish,
  messagesToPublishStatement,
} from './messages-to-publish.statement';
import {
  findFacts,
  findListed,
  findRecord,
  type ListedMessage,
  listRecords,
  type MessageFacts,
  type MessageRecord,
  type RecordStretch,
} from './message-record';
import { dueMessages, endedWaits } from '../due-work/due-rows';

/** A message without progress, which no worker seems to handle. */
interface DueMessage extends MessageKey {
  /** True if all of its audience is on pages. */
  isResolved: boolean;
  isCancelled: boolean;
  /** When its job is due. Null: at once. */
  notBefore: Date | null;
  /** True if it may be resolved in a batch with others: scheduled, to few users, with one send time. */
  isBatchable: boolean;
}

/** A message whose deliveries no longer wait for a connection. */
interface EndedWait extends MessageKey {
  /** The state that these deliveries get. */
  state: 'expired' | 'cancelled';
}

/** A message to more users than this gets a job of its own. */
const FEW_USERS = 20;

/** When all pages are finished, every device has a record, except devices whose connection still has the message. */
function statesOfDone({ deliveries, pages, packs }: LedgerDay): Sql {
  return sql`SELECT d.state, 1 AS count FROM ${deliveries} d WHERE d.app_id = done.app_id AND d.message_id = done.id
  UNION ALL
  SELECT 'sent', -1 FROM ${deliveries} d WHERE d.app_id = done.app_id AND d.message_id = done.id AND d.is_packed
  UNION ALL
  SELECT 'sent', k.count FROM ${packs} k WHERE k.app_id = done.app_id AND k.message_id = done.id
  UNION ALL
  SELECT 'pending', 1 FROM ${pages} p CROSS JOIN LATERAL unnest(p.device_ids) AS device (id)
  WHERE p.app_id = done.app_id AND p.message_id = done.id AND p.edge_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM ${deliveries} d WHERE d.app_id = done.app_id AND d.message_id = done.id AND d.device_id = device.id
  )`;
}

/** Accepted messages: their content, and the work that is left. `libs/audience` writes and resolves them. */
@Injectable()
export class MessagesRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Finds one message of an application, or null. */
  find(executor: Executor, appId: string, messageId: string): Promise<MessageRecord | null> {
    return findRecord(executor, appId, messageId);
  }

  /** Like `find`, without the users that the message names, who may be a hundred thousand. */
  findListed(executor: Executor, appId: string, messageId: string): Promise<ListedMessage | null> {
    return findListed(executor, appId, messageId);
  }

  /**
   * Like `findListed`, and without its status, which takes a second statement. For callers who read the same message
   * again and again.
   */
  findFacts(executor: Executor, appId: string, messageId: string): Promise<MessageFacts | null> {
    return findFacts(executor, appId, messageId);
  }

  /** Lists an application's messages, newest first. Filters that are not set add no condition. */
  list(appId: string, filter: MessageFilter, stretch: RecordStretch): Promise<ListedMessage[]> {
    return listRecords(this.database, appId, filter, stretch);
  }

  /**
   * Cancels a message that has something left to stop: it is not resolved any further, its pages are not worked any
   * further, and recovery ends what waits on pages and for connections. Workers check the status when they claim a page
   * or a fallback, and while they work on a page.
   *
   * @returns false if there is nothing to stop: it is done, was cancelled before, or does not exist
   */
  async cancel(executor: Executor, message: MessageKey, at: Date): Promise<boolean> {
    const [appId, messageId, now] = [parameter(message.appId), parameter(message.messageId), parameter(at)];
    const cancelled = await rows(
      executor,
      sql`UPDATE messages
          SET status = 'cancelled', cancelled_at = ${now}, wake_at = ${now},
            inbox_ends_at = CASE WHEN inbox_ends_at IS NOT NULL THEN ${now}::timestamptz END
          WHERE app_id = ${appId} AND id = ${messageId}
            AND (status = 'accepted' OR (status = 'done' AND (inbox_ends_at > ${now} OR EXISTS (
              SELECT 1 FROM fallbacks f WHERE f.app_id = ${appId} AND f.message_id = ${messageId} AND f.state = 'waiting'
            ))))
          RETURNING 1`,
    );
    return cancelled.length > 0;
  }

  /** Finds those of `messages` that were cancelled. */
  async findCancelled(messages: readonly MessageKey[]): Promise<MessageKey[]> {
    const found = byDay(messages).map(([day, keys]) =>
      rowsOfDay<MessageKey>(
        this.database,
        sql`SELECT m.app_id AS "appId", m.id AS "messageId"
            FROM ${messageKeysFrom(keys)} AS running
            JOIN ${day.messages} m ON m.app_id = running.app_id AND m.id = running.id
            WHERE m.status = 'cancelled'`,
      ),
    );
    return (await Promise.all(found)).flat();
  }

  /**
   * Marks those of `messages` as done whose audience is resolved and whose pages are all finished, except pages that an
   * edge holds for connected devices. Call it after the commit that finished a page: otherwise two pages that finish at
   * the same moment would each see the other as open. Webhooks that ask for it get one event for each message.
   */
  async complete(messages: readonly MessageKey[], now: Date): Promise<void> {
    for (const [day, keys] of byDay(messages)) await this.#completeOfDay(day, keys, now);
  }

  async #completeOfDay(day: LedgerDay, messages: readonly MessageKey[], now: Date): Promise<void> {
    // The scalar subquery looks for one open page by key, message by message; an anti-join might read them all.
    await rowsOfDay(
      this.database,
      sql`WITH done AS (
          UPDATE ${day.messages} m
          SET status = 'done', done_at = ${now}, wake_at = NULL
          FROM ${messageKeysFrom(messages)} AS worked
          WHERE m.app_id = worked.app_id AND m.id = worked.id AND m.status = 'accepted' AND m.resolved_at IS NOT NULL
            AND (
              SELECT p.id FROM ${day.pages} p
              WHERE p.app_id = worked.app_id AND p.message_id = worked.id AND p.state <> 'finished'
                AND p.edge_id IS NULL
              LIMIT 1
            ) IS NULL
          RETURNING m.app_id, m.id, m.kind, m.track_id, m.client_id, m.batch_id, m.count, m.accepted_at, m.done_at, m.status
        )
        ${recordDoneMessages({ messages: sql`done`, states: statesOfDone(day) })}`,
    );
  }

  /**
   * Finds messages that are due for recovery, the longest due first. A scheduled message is found a little before its
   * time.
   */
  async findDue(now: Date, limit: number): Promise<DueMessage[]> {
    return recurringRows<DueMessage>(
      this.database,
      sql`SELECT app_id AS "appId", id AS "messageId", resolved_at IS NOT NULL AS "isResolved",
            status = 'cancelled' AS "isCancelled", CASE WHEN status = 'accepted' THEN send_at END AS "notBefore",
            coalesce(status = 'accepted' AND send_at IS NOT NULL AND cardinality(user_ids) <= ${FEW_USERS}
              AND rate IS NULL AND local_time IS NULL, false) AS "isBatchable"
          ${dueMessages(now)} ORDER BY wake_at LIMIT ${limit}`,
    );
  }

  /**
   * Puts off those of `messages` that are still due until `wakeAt`, or until shortly after their send time if that is
   * still to come. A message that has ended is not due again.
   */
  async postpone(messages: readonly MessageKey[], { now: at, wakeAt }: { now: Date; wakeAt: Date }): Promise<void> {
    const now = parameter(at);
    for (const [day, keys] of byDay(messages)) {
      await rowsOfDay(
        this.database,
        // The same messages may be woken or completed at this moment (`inLockOrder`).
        sql`WITH due AS MATERIALIZED (
              SELECT m.app_id, m.id
              FROM ${messageKeysFrom(keys)} AS asked
              JOIN ${day.messages} m ON m.app_id = asked.app_id AND m.id = asked.id
              WHERE m.wake_at <= ${now} ORDER BY m.id FOR NO KEY UPDATE OF m
            )
            UPDATE ${day.messages} m
            SET wake_at = CASE WHEN m.status = 'accepted' AND m.send_at > ${now} THEN m.send_at + interval '1 second'
              WHEN m.status = 'accepted' OR (m.status = 'cancelled' AND m.resolved_at IS NULL) THEN ${wakeAt}::timestamptz END
            FROM due
            WHERE m.app_id = due.app_id AND m.id = due.id`,
      );
    }
  }

  /**
   * Finds messages that expired or were cancelled while some of their deliveries waited for a connection, oldest first.
   */
  async findEndedWaits(now: Date, limit: number): Promise<EndedWait[]> {
    return recurringRows<EndedWait>(
      this.database,
      sql`SELECT app_id AS "appId", id AS "messageId",
            CASE WHEN status = 'cancelled' THEN 'cancelled' ELSE 'expired' END AS state
          ${endedWaits(now)} ORDER BY inbox_ends_at LIMIT ${limit}`,
    );
  }

  /**
   * Finds messages by id, of any application. It reads the content only of those that are not in `known`: their content
   * does not change, their status does.
   */
  async findToPublish(messages: readonly AskedToPublish[]): Promise<MessageToPublish[]> {
    return rowsOfDay<MessageToPublish>(this.database, messagesToPublishStatement(messages));
  }

  /**
   * Ends deliveries of one message that still wait for a connection, at most `limit`, and those on the pages that edges
   * hold. When none is left, the message is not due again. It locks the message first, and reads in a later statement:
   * whoever writes deliveries that wait holds the message, so none is missed that was written in the meantime.
   *
   * @returns the number of ended deliveries, without those on pages
   */
  async endWaiting(wait: EndedWait, at: Date, most: number): Promise<number> {
    const [appId, messageId] = [parameter(wait.appId), parameter(wait.messageId)];
    const [state, rank] = [parameter(wait.state), parameter(deliveryStateRank(wait.state))];
    const [now, limit] = [parameter(at), parameter(most)];
    const [, ended] = await batchRows(this.database, [
      sql`SELECT FROM messages WHERE app_id = ${appId} AND id = ${messageId} FOR NO KEY UPDATE`,
      sql`WITH waiting AS MATERIALIZED (
            SELECT device_id FROM deliveries
            WHERE app_id = ${appId} AND message_id = ${messageId} AND state = 'pending' AND vendor = 'connection'
            ORDER BY device_id LIMIT ${limit} FOR NO KEY UPDATE
          ), ended AS (
            UPDATE deliveries d SET state = ${state}, rank = ${rank}, reason = NULL, updated_at = ${now}
            FROM waiting
            WHERE d.app_id = ${appId} AND d.message_id = ${messageId} AND d.device_id = waiting.device_id AND d.rank < ${rank}
          ), held AS MATERIALIZED (
            SELECT id, created_at, device_ids FROM pages
            WHERE app_id = ${appId} AND message_id = ${messageId} AND edge_id IS NOT NULL ORDER BY id FOR NO KEY UPDATE
          ), taken AS (
            INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, created_at, updated_at)
            SELECT ${appId}, ${messageId}, device.id, ${state}, ${rank}, 'connection', held.created_at, ${now}
            FROM held CROSS JOIN LATERAL unnest(held.device_ids) AS device (id)
            ON CONFLICT (app_id, message_id, device_id) DO NOTHING
          ), gone AS (
            DELETE FROM pages p USING held
            WHERE p.app_id = ${appId} AND p.message_id = ${messageId} AND p.edge_id IS NOT NULL AND p.id = held.id
          ), closed AS (
            UPDATE messages SET inbox_ends_at = NULL
            WHERE app_id = ${appId} AND id = ${messageId} AND (SELECT count(*) FROM waiting) < ${limit}
          )
          SELECT count(*)::integer AS deliveries FROM waiting`,
    ]);
    return (ended?.[0]?.deliveries as number | undefined) ?? 0;
  }
}

/** The keys of messages of one day, in the order in which the messages are locked. */
function messageKeysFrom(messages: readonly MessageKey[]): Sql {
  const keys = inLockOrder(messages).map(({ appId, messageId }, place) => ({ place, app_id: appId, id: messageId }));
  return keysFrom(keys, sql`app_id text, id uuid`);
}
