import { Inject, Injectable } from '@nestjs/common';
import type { DeviceId } from '@postrider/domain';
import { type Database, DATABASE, type Executor, inTransaction, rows } from '../database/executor';
import { PLAN_ONCE_BY_KEYS, preparedRows, rowsPlannedOnceByKeys } from '../database/prepared-rows';
import { inRetriedTransaction, retryCollisions } from '../database/retried-transaction';
import { type PackedPlace, unpackDeliveries } from '../packs/unpack-deliveries';
import { parameter, sql, type Sql } from '../sql';
import {
  type DeliveryKey,
  type DeliveryKeys,
  eraseDeliveryDetailsStatement,
  findFormerPackedStatement,
  findDeliveriesStatement,
  findFormerDeliveriesStatement,
  findPackedStatement,
  KEEP_TO_KEYS,
  anonymiseDeliveriesOfMessagesStatement,
  anonymiseDeliveriesStatement,
} from './erase-deliveries.statement';
import { eraseFromDrafts } from './erase-from-drafts';
import { eraseFromWebhookEventsStatement, type WebhookEventPlace } from './erase-from-webhook-events.statement';
import {
  emptyMessagesStatement,
  eraseCampaignNamesStatement,
  eraseFallbacksStatement,
  eraseKeysStatement,
  ANY_TEXT,
  eraseNamesStatement,
  findNamingCampaignsStatement,
} from './erase-messages.statement';
import type { Erasure } from './erasures.repository';

/** A user who is being erased, and the pattern that finds them in texts. */
export interface ErasedUser extends Erasure {
  /** A regular expression of PostgreSQL (`patternOf`). */
  pattern: string;
}

/**
 * The stored data of a user who is being erased. Each method deletes one part, at most `limit` rows where it has a
 * limit, in a transaction of its own. An erasure that stops in the middle simply begins again. Counts stay.
 */
@Injectable()
export class ErasedUsersRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Finds the phone number that a user has as an attribute, if it is a text. */
  async findPhone(appId: string, userId: string): Promise<string | null> {
    const [found] = await rows<{ phone: string | null }>(
      this.database,
      sql`SELECT attributes ->> 'phone' AS phone FROM users
          WHERE app_id = ${appId} AND user_id = ${userId} AND jsonb_typeof(attributes -> 'phone') = 'string'`,
    );
    return found?.phone ?? null;
  }

  /**
   * Deletes up to `limit` installations of a user. The erasure keeps their numbers, because their traces are still to be
   * removed. A trigger on `installations` deletes their presence and orders edges to close their connections: it reads
   * the presence when the statement ends, so the statement must not delete it.
   *
   * @returns the number of deleted installations; fewer than `limit` means that none is left, or that another process
   * has ended the erasure
   */
  async removeDevices(erasure: Erasure, limit: number): Promise<number> {
    const [appId, userId] = [parameter(erasure.appId), parameter(erasure.userId)];
    const erasureId = parameter(erasure.erasureId);
    const statement = sql`
      WITH held AS MATERIALIZED (
        SELECT id FROM installations WHERE app_id = ${appId} AND user_id = ${userId}
          AND EXISTS (SELECT FROM erasures WHERE app_id = ${appId} AND user_id = ${userId} AND erasure_id = ${erasureId}::uuid)
        ORDER BY id LIMIT ${limit} FOR UPDATE
      ), gone AS (
        DELETE FROM installations WHERE app_id = ${appId} AND id = ANY (ARRAY(SELECT id FROM held)) RETURNING id
      ), noted AS (
        UPDATE erasures SET device_ids = device_ids || ARRAY(SELECT id FROM gone)
        WHERE app_id = ${appId} AND user_id = ${userId} AND erasure_id = ${erasureId}::uuid
      ), handovers AS (
        DELETE FROM deferred_handovers h USING gone WHERE h.app_id = ${appId} AND h.device_id = gone.id
      ), tokens AS (
        DELETE FROM quarantined_tokens q USING gone WHERE q.app_id = ${appId} AND q.device_id = gone.id
      )
      SELECT id FROM gone`;
    const gone = await inRetriedTransaction(this.database, (executor) => rows(executor, statement));
    return gone.length;
  }

  /**
   * Detaches up to `limit` deliveries from these devices. Each stays as an anonymous row: without a device, in no
   * order, and with its time rounded to the hour. What the devices did with the messages is deleted.
   *
   * @returns the number of deliveries; fewer than `limit` means that none is left
   */
  async eraseDeliveriesOf(user: ErasedUser, deviceIds: readonly DeviceId[], limit: number): Promise<number> {
    return this.#eraseDeliveries(user, {
      packed: findPackedStatement(user.appId, deviceIds, limit),
      deliveries: findDeliveriesStatement(user.appId, deviceIds, limit),
    });
  }

  /**
   * Like `eraseDeliveriesOf`, for deliveries that were meant for a user on devices that have another owner now. Call it
   * before the user is removed from messages, because the names there identify these deliveries.
   */
  async eraseFormerDeliveries(user: ErasedUser, limit: number): Promise<number> {
    if (!(await this.#gaveDevicesAway(user))) return 0;
    return this.#eraseDeliveries(user, {
      packed: findFormerPackedStatement(user.appId, user.userId, limit),
      deliveries: findFormerDeliveriesStatement(user.appId, user.userId, limit),
    });
  }

  /** Deletes the marks (read, deleted) in the inboxes of these devices. */
  async eraseInboxMarks(appId: string, deviceIds: readonly DeviceId[]): Promise<void> {
    await rows(
      this.database,
      sql`DELETE FROM inbox_marks WHERE app_id = ${appId} AND device_id = ANY (${deviceIds}::bigint[])`,
    );
  }

  /**
   * Removes a user from up to `limit` messages that name them. Their fallbacks become anonymous. A message that names
   * nobody else also loses its content, ids and links, and is no longer sent. Its counts stay.
   *
   * @returns how many messages named them, and the deliveries that were detached from devices
   */
  async eraseFromMessages(
    user: ErasedUser,
    step: { now: Date; limit: number },
  ): Promise<{ messages: number; deliveries: number }> {
    for (;;) {
      const messageIds = await this.#findNaming(user, step.limit);
      if (messageIds.length === 0) return { messages: 0, deliveries: 0 };
      const erased = await inRetriedTransaction(this.database, (executor) =>
        this.#eraseFromMessages(executor, user, messageIds, step.now),
      );
      if (erased.messages > 0) return erased;
    }
  }

  /** Removes a user from the lists of refused lines of files of tags or devices. */
  async eraseFromLineErrors({ appId, pattern }: ErasedUser): Promise<void> {
    for (const errors of [sql`tag_job_errors`, sql`device_import_errors`]) {
      await rows(
        this.database,
        sql`UPDATE ${errors} SET message = '(erased)' WHERE app_id = ${appId} AND message ~ ${pattern}`,
      );
    }
  }

  /** Removes a user from the texts of drafts. */
  eraseFromDrafts({ appId, pattern }: ErasedUser): Promise<void> {
    return eraseFromDrafts(this.database, appId, pattern);
  }

  /**
   * Replaces the idempotency keys that contain a user's id or phone number by digests, by which they are still
   * recognised.
   */
  async eraseIdempotencyKeys({ appId, pattern }: ErasedUser): Promise<void> {
    await rows(this.database, eraseKeysStatement(appId, sql`key ~ ${pattern}`));
  }

  /**
   * Removes a user from one batch of webhook events, sent or not.
   *
   * @returns the position behind which the next batch begins; null if this was the last one
   */
  async eraseFromWebhookEvents(
    user: ErasedUser,
    stretch: { after: WebhookEventPlace; limit: number },
  ): Promise<WebhookEventPlace | null> {
    const statement = eraseFromWebhookEventsStatement(user, stretch);
    const [last] = await inRetriedTransaction(this.database, async (executor) => {
      await rows(executor, PLAN_ONCE_BY_KEYS);
      return preparedRows<WebhookEventPlace>(executor, statement);
    });
    return last ?? null;
  }

  async #gaveDevicesAway({ appId, userId }: ErasedUser): Promise<boolean> {
    const owned = await rows(
      this.database,
      sql`SELECT FROM former_owners WHERE app_id = ${appId} AND user_id = ${userId} LIMIT 1`,
    );
    return owned.length > 0;
  }

  /**
   * First takes packed deliveries out of their packs. Then there are at least as many rows as were taken out. It does so
   * in a transaction of its own: a report of the device that has read the pack before waits for its end, and finds the
   * row. If the row had lost its device by then, the report would make a new one that nobody erases.
   */
  async #eraseDeliveries(user: ErasedUser, find: { packed: Sql; deliveries: Sql }): Promise<number> {
    await retryCollisions(async () => {
      const places = await rowsPlannedOnceByKeys<PackedPlace>(this.database, find.packed);
      if (places.length === 0) return;
      await inTransaction(this.database, async (executor) => {
        await rows(executor, KEEP_TO_KEYS);
        await unpackDeliveries(executor, user.appId, places);
      });
    });
    return retryCollisions(async () => {
      const found = await rowsPlannedOnceByKeys<DeliveryKey>(this.database, find.deliveries);
      if (found.length === 0) return 0;
      return inTransaction(this.database, async (executor) => {
        await rows(executor, KEEP_TO_KEYS);
        const anonymise = anonymiseDeliveriesStatement(user.appId, keysOf(found));
        const keys = keysOf(await rows<DeliveryKey>(executor, anonymise));
        await eraseDeliveryDetails(executor, user.appId, keys);
        await eraseNames(executor, user, [...new Set(keys.messageIds)]);
        return keys.messageIds.length;
      });
    });
  }

  async #findNaming({ appId, userId }: ErasedUser, limit: number): Promise<string[]> {
    // In no order: PostgreSQL would go through all messages in theirs.
    const found = await rowsPlannedOnceByKeys<{ id: string }>(
      this.database,
      sql`SELECT id FROM messages WHERE app_id = ${appId} AND user_ids @> ARRAY[${userId}::text] LIMIT ${limit}`,
    );
    return found.map(({ id }) => id);
  }

  /** Messages that no longer name the user are left out: another process erases them too. */
  async #eraseFromMessages(
    executor: Executor,
    user: ErasedUser,
    found: readonly string[],
    now: Date,
  ): Promise<{ messages: number; deliveries: number }> {
    const { appId } = user;
    const userId = parameter(user.userId);
    const named = await rows<{ id: string; acceptedAt: Date; isAlone: boolean }>(
      executor,
      sql`SELECT id, accepted_at AS "acceptedAt", array_remove(user_ids, ${userId}::text) = '{}' AS "isAlone" FROM messages
          WHERE app_id = ${appId} AND id = ANY (${found}::uuid[]) AND user_ids @> ARRAY[${userId}::text] ORDER BY id FOR NO KEY UPDATE`,
    );
    if (named.length === 0) return { messages: 0, deliveries: 0 };
    const messageIds = named.map(({ id }) => id);
    const emptied = named.filter(({ isAlone }) => isAlone);
    const alone = emptied.map(({ id }) => id);
    await eraseNames(executor, user, messageIds);
    await eraseNames(executor, { ...user, pattern: ANY_TEXT }, alone);
    const anonymised = keysOf(await rows<DeliveryKey>(executor, anonymiseDeliveriesOfMessagesStatement(appId, alone)));
    await eraseDeliveryDetails(executor, appId, anonymised);
    const erased = { appId, userId: user.userId, messageIds, now };
    await rows(executor, eraseFallbacksStatement(erased));
    await rows(executor, emptyMessagesStatement(erased));
    if (emptied.length > 0) {
      await rows(executor, eraseKeysStatement(appId, sentWith(emptied)));
      const naming = await rows<{ trackId: string }>(
        executor,
        findNamingCampaignsStatement(appId, user.pattern, alone),
      );
      const trackIds = naming.map(({ trackId }) => trackId);
      if (trackIds.length > 0) await rows(executor, eraseCampaignNamesStatement(appId, trackIds));
    }
    return { messages: named.length, deliveries: anonymised.deviceIds.length };
  }
}

/**
 * Runs after the deliveries were detached from their devices, because transactions that write these rows hold the
 * deliveries.
 */
async function eraseDeliveryDetails(executor: Executor, appId: string, keys: DeliveryKeys): Promise<void> {
  if (keys.messageIds.length === 0) return;
  await rows(executor, KEEP_TO_KEYS);
  await rows(executor, eraseDeliveryDetailsStatement(appId, keys));
}

async function eraseNames(executor: Executor, user: ErasedUser, messageIds: readonly string[]): Promise<void> {
  if (messageIds.length > 0) await rows(executor, eraseNamesStatement(user, messageIds));
}

/**
 * The idempotency keys of the requests that sent these messages, found by the times at which the messages were
 * accepted.
 */
function sentWith(messages: readonly { id: string; acceptedAt: Date }[]): Sql {
  const times = messages.map(({ acceptedAt }) => acceptedAt);
  return sql`created_at = ANY (${times}::timestamptz[]) AND answer -> 'messageIds' ?| ${messages.map(({ id }) => id)}::text[]`;
}

function keysOf(found: readonly DeliveryKey[]): DeliveryKeys {
  return { messageIds: found.map(({ messageId }) => messageId), deviceIds: found.map(({ deviceId }) => deviceId) };
}
