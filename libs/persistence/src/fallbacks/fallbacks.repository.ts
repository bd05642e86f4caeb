import { Inject, Injectable } from '@nestjs/common';
import type { Fallback, FallbackState } from '@postrider/domain';
import { deleteOldRows } from '../database/delete-old-rows';
import { DATABASE, type Database, type Executor, rows } from '../database/executor';
import type { MessageKey } from '../partitions/message-key';
import { isoTime, parameter, type Sql, sql } from '../sql';
import {
  claimFallbacksStatement,
  type FallbackClaim,
  type FallbackVerdict,
  type DueFallback,
  lockDueFallbacksStatement,
} from './claim-fallbacks.statement';
import {
  type CapsOfMessage,
  capsOfMessageStatement,
  type UserOfDueFallback,
  usersOfDueFallbacksStatement,
} from './capped-fallbacks.statement';
import { dueFallbacks } from '../due-work/due-rows';

/** The fallbacks of one message to named users. */
export interface NewFallbacks {
  appId: string;
  messageId: string;
  userIds: readonly string[];
  fallback: Fallback;
  /** When the message is sent: the delay counts from then. */
  startsAt: Date;
  expiresAt: Date;
  /** When the fallback is due for users for whom this is not just the delay later. */
  dueAts?: Readonly<Record<string, Date>>;
}

/** A fallback that waits for the end of its user's quiet hours. */
export interface PostponedFallback {
  userId: string;
  until: Date;
}

/** The result of one verdict. */
interface ClaimedFallback {
  userId: string;
  state: FallbackState;
  /** The number of this attempt, if the state is `sending`. */
  attempt: number;
}

/** Why due fallbacks wait, and until when. */
interface FallbackHold {
  now: Date;
  until: Date;
  errorCode: string;
  reason: string;
}

/** A fallback as it is stored. */
export interface FallbackRecord {
  userId: string;
  state: FallbackState;
  phone: string | null;
  provider: string | null;
  providerMessageId: string | null;
  errorCode: string | null;
  reason: string | null;
  attempt: number;
  /** How often it was sent again although its provider may have accepted it. */
  resent: number;
  dueAt: Date;
  /** The expiry of its message: no SMS is sent from then on. */
  expiresAt: Date;
  attemptedAt: Date | null;
  sentAt: Date | null;
  endedAt: Date | null;
  updatedAt: Date;
}

/** Which of a message's fallbacks to read. */
interface FallbackFilter {
  state: FallbackState | null;
  afterUserId: string;
  limit: number;
}

/**
 * A `FallbackRecord`, of fallback `f` of message `m`. A waiting fallback of a cancelled message reads as `cancelled`.
 */
const COLUMNS = sql`f.user_id AS "userId",
  CASE WHEN f.state = 'waiting' AND m.status = 'cancelled' THEN 'cancelled' ELSE f.state END AS state, f.phone,
  f.provider, f.provider_message_id AS "providerMessageId", f.error_code AS "errorCode", f.reason, f.attempt, f.resent,
  f.due_at AS "dueAt", m.expires_at AS "expiresAt", f.attempted_at AS "attemptedAt", f.sent_at AS "sentAt", f.ended_at AS "endedAt",
  f.updated_at AS "updatedAt"`;

/** The fallbacks of messages until they are sent: SMS for users none of whose devices confirmed in time. */
@Injectable()
export class FallbacksRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Writes the fallbacks of messages, one for each user, whether they have devices or not. Runs in the transaction that
   * accepts the messages. A fallback that would be due after its message's expiry is due at the expiry. An existing row
   * stays, for example an ended one of a user who is being erased.
   */
  async insert(executor: Executor, fallbacks: readonly NewFallbacks[]): Promise<void> {
    if (fallbacks.length === 0) return;
    const records = fallbacks.map(({ fallback, ...message }) => ({
      ...message,
      policy: fallback.policy === undefined ? null : 'SHOWN',
      dueAt: new Date(message.startsAt.getTime() + fallback.delaySeconds * 1_000),
    }));
    await rows(
      executor,
      sql`INSERT INTO fallbacks (app_id, message_id, user_id, policy, due_at, wake_at, created_at, updated_at)
          SELECT DISTINCT f."appId", f."messageId", u.user_id COLLATE "C", f.policy, due.at, least(due.at, f."expiresAt"),
            f."startsAt", f."startsAt"
          FROM json_to_recordset(${JSON.stringify(records)}::json) AS f ("appId" text, "messageId" uuid, "userIds" text[],
            policy text, "dueAt" timestamptz, "expiresAt" timestamptz, "startsAt" timestamptz, "dueAts" jsonb)
          CROSS JOIN unnest(f."userIds") AS u (user_id)
          CROSS JOIN LATERAL (SELECT coalesce((f."dueAts" ->> u.user_id)::timestamptz, f."dueAt") AS at) due
          ON CONFLICT (app_id, message_id, user_id) DO NOTHING`,
    );
  }

  /**
   * Deletes the fallbacks of a message that has not left yet, to write them anew. The fallback of an erased user has
   * ended before.
   */
  async deleteWaiting(executor: Executor, { appId, messageId }: MessageKey): Promise<void> {
    await rows(
      executor,
      sql`DELETE FROM fallbacks WHERE app_id = ${appId} AND message_id = ${messageId} AND state = 'waiting'`,
    );
  }

  /** True if any of a message's fallbacks waits although it is due, claimed or not. */
  async hasDue({ appId, messageId }: MessageKey, now: Date): Promise<boolean> {
    const due = await rows(
      this.database,
      sql`SELECT 1 FROM fallbacks WHERE app_id = ${appId} AND message_id = ${messageId}
            AND state = 'waiting' AND wake_at <= ${now} LIMIT 1`,
    );
    return due.length > 0;
  }

  /**
   * Finds messages with due fallbacks, among the `limit` fallbacks that have been due longest and the `limit` that became
   * due last: one message may have more than `limit`, and the others do not wait until those are sent.
   */
  async findDue(now: Date, limit: number): Promise<MessageKey[]> {
    const due = (order: Sql): Sql => sql`
      (SELECT app_id, message_id, wake_at ${dueFallbacks(now)} ORDER BY ${order} LIMIT ${limit})`;
    return rows<MessageKey>(
      this.database,
      sql`SELECT app_id AS "appId", message_id AS "messageId"
          FROM (${due(sql`wake_at`)} UNION ALL ${due(sql`wake_at DESC`)}) due
          GROUP BY app_id, message_id ORDER BY min(wake_at)`,
    );
  }

  /** Null: the application counts nothing, or the message no longer exists. */
  async findCaps(key: MessageKey): Promise<CapsOfMessage | null> {
    const [caps] = await rows<CapsOfMessage>(this.database, capsOfMessageStatement(key));
    return caps ?? null;
  }

  /** The users of up to `limit` of a message's due fallbacks. */
  async findUsersOfDue(key: MessageKey, now: Date, limit: number): Promise<UserOfDueFallback[]> {
    return rows<UserOfDueFallback>(this.database, usersOfDueFallbacksStatement(key, now, limit));
  }

  /**
   * Locks up to `limit` of a message's waiting fallbacks that are due, until the transaction ends. Fallbacks that
   * another transaction has locked are skipped. If the message no longer exists, the fallback counts as expired.
   */
  async lockDue(executor: Executor, key: MessageKey, now: Date, limit: number): Promise<DueFallback[]> {
    return rows<DueFallback>(executor, lockDueFallbacksStatement(key, now, limit));
  }

  /**
   * Puts off locked fallbacks until their users' quiet hours end, in the transaction that locked them. A fallback that
   * expires earlier is due at its expiry.
   */
  async putOff(
    executor: Executor,
    { appId, messageId }: MessageKey,
    postponed: readonly PostponedFallback[],
    now: Date,
  ): Promise<void> {
    const app = parameter(appId);
    const message = parameter(messageId);
    await rows(
      executor,
      sql`UPDATE fallbacks f
          SET wake_at = least(s.until, m.expires_at), updated_at = ${now}, error_code = 'quiet_hours',
            reason = 'Waits until ' || ${isoTime(sql`s.until`)} || ', when the quiet hours end'
          FROM unnest(
            ${postponed.map(({ userId }) => userId)}::text[],
            ${postponed.map(({ until }) => until)}::timestamptz[]
          ) AS s (user_id, until), messages m
          WHERE f.app_id = ${app} AND f.message_id = ${message} AND f.user_id = s.user_id AND f.state = 'waiting'
            AND m.app_id = ${app} AND m.id = ${message}`,
    );
  }

  /**
   * Applies verdicts to fallbacks that the transaction has locked. The statement that claims also checks the
   * confirmation, by the newest snapshot: a fallback whose state is not `sending` after it is never sent. A device has
   * confirmed if its delivery reached `delivered`; under the policy `SHOWN`, `shown`.
   */
  async claim(
    executor: Executor,
    key: MessageKey,
    verdicts: readonly FallbackVerdict[],
    claim: FallbackClaim,
  ): Promise<ClaimedFallback[]> {
    return rows<ClaimedFallback>(executor, claimFallbacksStatement(key, verdicts, claim));
  }

  /**
   * Holds a message's due fallbacks, because their provider cannot be called now. Fallbacks that would expire earlier,
   * or were cancelled, stay due.
   *
   * @returns the number of held fallbacks
   */
  async postpone({ appId, messageId }: MessageKey, { now, until, errorCode, reason }: FallbackHold): Promise<number> {
    const app = parameter(appId);
    const message = parameter(messageId);
    const moment = parameter(now);
    const held = await rows(
      this.database,
      sql`UPDATE fallbacks f
          SET wake_at = least(${until}::timestamptz, m.expires_at), error_code = ${errorCode}, reason = ${reason},
            updated_at = ${moment}
          FROM messages m
          WHERE f.app_id = ${app} AND f.message_id = ${message} AND f.state = 'waiting' AND f.wake_at <= ${moment}
            AND m.app_id = ${app} AND m.id = ${message} AND m.expires_at > ${moment} AND m.status <> 'cancelled'
          RETURNING 1`,
    );
    return held.length;
  }

  /** Counts a message's fallbacks by state. Waiting fallbacks of a cancelled message count as `cancelled`. */
  async count(
    executor: Executor,
    appId: string,
    messageId: string,
  ): Promise<{ state: FallbackState; count: number }[]> {
    const app = parameter(appId);
    const message = parameter(messageId);
    return rows<{ state: FallbackState; count: number }>(
      executor,
      sql`SELECT CASE WHEN f.state = 'waiting' AND m.status = 'cancelled' THEN 'cancelled' ELSE f.state END AS state,
            count(*)::float8 AS count
          FROM fallbacks f JOIN messages m ON m.app_id = ${app} AND m.id = ${message}
          WHERE f.app_id = ${app} AND f.message_id = ${message} GROUP BY 1`,
    );
  }

  /**
   * Lists a message's fallbacks by user id, without those of erased users. Waiting fallbacks of a cancelled message
   * read as `cancelled`.
   */
  async list(
    appId: string,
    messageId: string,
    { state, afterUserId, limit }: FallbackFilter,
  ): Promise<FallbackRecord[]> {
    const app = parameter(appId);
    const message = parameter(messageId);
    const wanted = parameter(state);
    return rows<FallbackRecord>(
      this.database,
      sql`SELECT * FROM (
            SELECT ${COLUMNS} FROM fallbacks f JOIN messages m ON m.app_id = ${app} AND m.id = ${message}
            WHERE f.app_id = ${app} AND f.message_id = ${message} AND f.user_id > greatest(${afterUserId}, chr(2))
          ) listed
          WHERE ${wanted}::text IS NULL OR state = ${wanted}
          ORDER BY "userId" LIMIT ${limit}`,
    );
  }

  /**
   * Finds a message's fallback to one user, or null. A waiting fallback of a cancelled message reads as `cancelled`.
   */
  async find({ appId, messageId }: MessageKey, userId: string): Promise<FallbackRecord | null> {
    const app = parameter(appId);
    const message = parameter(messageId);
    const [found] = await rows<FallbackRecord>(
      this.database,
      sql`SELECT ${COLUMNS} FROM fallbacks f JOIN messages m ON m.app_id = ${app} AND m.id = ${message}
          WHERE f.app_id = ${app} AND f.message_id = ${message} AND f.user_id = ${userId}`,
    );
    return found ?? null;
  }

  /**
   * Deletes up to `limit` fallbacks that were written before `before`.
   *
   * @returns the number of deleted fallbacks; fewer than `limit` means that none is left
   */
  deleteOld(before: Date, limit: number): Promise<number> {
    const table = { table: sql`fallbacks`, key: sql`app_id, message_id, user_id`, at: sql`created_at` };
    return deleteOldRows(this.database, table, before, limit);
  }
}
