import { Inject, Injectable } from '@nestjs/common';
import type { DeviceId } from '@postrider/domain';
import { type Database, DATABASE, rows } from '../database/executor';
import { PLAN_ONCE_BY_KEYS, rowsPlannedOnceByKeys } from '../database/prepared-rows';
import { inRetriedTransaction } from '../database/retried-transaction';
import { batchRows } from '../database/statement-batch';
import { byDay, keysFrom, rowsOfDay } from '../partitions/ledger-day';
import { ERASED_USER } from '../promo/promo-set';
import { parameter, sql } from '../sql';
import { INTERRUPTED_ERASURES } from '../due-work/due-rows';

/** One call's erasure of a user. */
export interface Erasure {
  appId: string;
  userId: string;
  erasureId: string;
}

/** A page that a worker has claimed, and the fence of its claim. */
interface PageInHand {
  messageId: string;
  pageId: string;
  fence: number;
}

/** Longer than the longest step takes. */
const HOLDS_FOR = sql`interval '1 minute'`;

/** The erasures of users: they stop writes for a user, and find out what is still in progress for them. */
@Injectable()
export class ErasuresRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Begins to refuse writes for the user (`isBeingErased`), as soon as the transaction is committed. */
  async begin({ appId, userId, erasureId }: Erasure): Promise<void> {
    await rows(
      this.database,
      sql`INSERT INTO erasures (app_id, user_id, erasure_id, ends_at)
          SELECT app_id, ${userId}, ${erasureId}::uuid, clock_timestamp() + ${HOLDS_FOR}
          FROM applications WHERE app_id = ${appId}`,
    );
  }

  /** Extends the erasure. @returns false if another process has ended it meanwhile */
  async hold({ appId, userId, erasureId }: Erasure): Promise<boolean> {
    const held = await rows(
      this.database,
      sql`UPDATE erasures SET ends_at = clock_timestamp() + ${HOLDS_FOR}
          WHERE app_id = ${appId} AND user_id = ${userId} AND erasure_id = ${erasureId}::uuid RETURNING 1`,
    );
    return held.length > 0;
  }

  /** Finds the erasures that refuse writes now, in these applications. */
  async findInForce(appIds: readonly string[]): Promise<Pick<Erasure, 'appId' | 'erasureId'>[]> {
    return rows(
      this.database,
      sql`SELECT app_id AS "appId", erasure_id AS "erasureId" FROM erasures
          WHERE app_id = ANY (${appIds}::text[]) AND ends_at > clock_timestamp()`,
    );
  }

  /**
   * Takes over an erasure that was interrupted or whose process died: the one that waits longest. It is in force again,
   * as if it had begun now.
   *
   * @returns null if there is none
   */
  async takeOverInterrupted(): Promise<Erasure | null> {
    const [taken] = await rows<Erasure>(
      this.database,
      sql`UPDATE erasures e SET ends_at = clock_timestamp() + ${HOLDS_FOR} FROM (
            SELECT app_id, user_id, erasure_id ${INTERRUPTED_ERASURES}
            ORDER BY ends_at LIMIT 1 FOR UPDATE SKIP LOCKED
          ) interrupted
          WHERE e.app_id = interrupted.app_id AND e.user_id = interrupted.user_id AND e.erasure_id = interrupted.erasure_id
          RETURNING e.app_id AS "appId", e.user_id AS "userId", e.erasure_id AS "erasureId"`,
    );
    return taken ?? null;
  }

  /** Allows writes for the user again, although the erasure has not ended. The next erasure continues it. */
  async breakOff({ appId, userId, erasureId }: Erasure): Promise<void> {
    await rows(
      this.database,
      sql`UPDATE erasures SET ends_at = clock_timestamp()
          WHERE app_id = ${appId} AND user_id = ${userId} AND erasure_id = ${erasureId}::uuid`,
    );
  }

  /**
   * Deletes the user and the links that they opened, and forgets who got their codes. This ends the erasure, and
   * interrupted erasures of the same user.
   *
   * A code that was given stays recorded, under an id of no user and no message: nobody else gets it when its file is
   * uploaded again.
   *
   * @returns the number of deleted links
   */
  async finish({ appId: app, userId: user, erasureId }: Erasure): Promise<{ links: number }> {
    const [appId, userId] = [parameter(app), parameter(user)];
    return inRetriedTransaction(this.database, async (executor) => {
      const [erased] = await rows<{ links: number }>(
        executor,
        sql`WITH links AS (DELETE FROM link_opens WHERE app_id = ${appId} AND user_id = ${userId} RETURNING 1),
            none AS (DELETE FROM promo_assignments WHERE app_id = ${appId} AND user_id = ${userId} AND code IS NULL),
            codes AS (UPDATE promo_assignments SET user_id = ${ERASED_USER}, message_id = gen_random_uuid(),
                claimed_at = date_trunc('hour', claimed_at, 'UTC')
              WHERE app_id = ${appId} AND user_id = ${userId} AND code IS NOT NULL),
            former AS (DELETE FROM former_owners WHERE app_id = ${appId} AND user_id = ${userId}),
            told AS (DELETE FROM hand_overs WHERE app_id = ${appId} AND user_id = ${userId}),
            reported AS (DELETE FROM reported_events WHERE app_id = ${appId} AND user_id = ${userId}),
            removed AS (DELETE FROM removed_tokens WHERE app_id = ${appId} AND user_id = ${userId}),
            contacts AS (DELETE FROM user_contacts WHERE app_id = ${appId} AND user_id = ${userId}),
            owner AS (DELETE FROM users WHERE app_id = ${appId} AND user_id = ${userId})
            SELECT count(*)::int AS links FROM links`,
      );
      await rows(
        executor,
        sql`DELETE FROM erasures
            WHERE app_id = ${appId} AND user_id = ${userId}
              AND (erasure_id = ${erasureId}::uuid OR ends_at <= clock_timestamp())`,
      );
      return erased ?? { links: 0 };
    });
  }

  /** The devices that this and interrupted erasures of the user deleted, and whose traces may be left. */
  async findDevices({ appId, userId }: Erasure): Promise<string[]> {
    const found = await rows<{ id: string }>(
      this.database,
      sql`SELECT DISTINCT device.id::text AS id FROM erasures e CROSS JOIN LATERAL unnest(e.device_ids) AS device (id)
          WHERE e.app_id = ${appId} AND e.user_id = ${userId}`,
    );
    return found.map(({ id }) => id);
  }

  /**
   * Finds the transactions that may have read `erasures` before the last `begin` was committed. The triggers that read
   * `erasures` hold a lock on it until their transaction ends.
   */
  async findEarlierWriters(): Promise<string[]> {
    const found = await rows<{ writer: string }>(
      this.database,
      sql`SELECT DISTINCT virtualtransaction AS writer FROM pg_locks
          WHERE locktype = 'relation' AND granted AND pid <> pg_backend_pid() AND relation = 'erasures'::regclass
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    return found.map(({ writer }) => writer);
  }

  /** Finds the pages with one of these devices that workers have claimed: the workers may know the devices' tokens. */
  async findPagesInHand(appId: string, deviceIds: readonly DeviceId[]): Promise<PageInHand[]> {
    return rowsPlannedOnceByKeys<PageInHand>(
      this.database,
      sql`SELECT message_id AS "messageId", id AS "pageId", fence FROM pages
          WHERE app_id = ${appId} AND state <> 'finished' AND state = 'running' AND edge_id IS NULL
            AND device_ids && ${deviceIds}::bigint[]`,
    );
  }

  /** Finds those of `pages` that still have the same owner and claim. */
  async findStillInHand(appId: string, pages: readonly PageInHand[], now: Date): Promise<PageInHand[]> {
    const found = byDay(pages).map(([day, ofDay]) => {
      const keys = ofDay.map(({ messageId, pageId, fence }, place) => ({ place, messageId, pageId, fence }));
      return rowsOfDay<PageInHand>(
        this.database,
        sql`SELECT p.message_id AS "messageId", p.id AS "pageId", p.fence
            FROM ${keysFrom(keys, sql`"messageId" uuid, "pageId" uuid, fence integer`)} held
            JOIN ${day.pages} p ON p.app_id = ${appId} AND p.message_id = held."messageId" AND p.id = held."pageId"
              AND p.fence = held.fence
            WHERE p.state = 'running' AND p.wake_at > ${now}`,
      );
    });
    return (await Promise.all(found)).flat();
  }

  /**
   * Ends the user's fallbacks that no worker is sending now: those that wait are cancelled, and those about which nobody knows
   * whether their provider accepted them are not asked about or sent again. It locks them first: none changes between the end of
   * the others and the look at those that are being sent.
   *
   * @returns true if a worker is sending one now: it may wait for another attempt afterwards
   */
  async endFallbacks(app: string, user: string, now: Date): Promise<boolean> {
    const [appId, userId, at] = [parameter(app), parameter(user), parameter(now, 'timestamptz')];
    // An array, so that PostgreSQL looks the fallbacks up by their key: a join may read all of them.
    const own = sql`f.app_id = ${appId} AND f.user_id = ${userId} AND f.message_id = ANY (ARRAY(
            SELECT id FROM messages WHERE app_id = ${appId} AND user_ids @> ARRAY[${userId}::text]))`;
    const isUnsent = sql`(f.state = 'waiting' OR (f.state = 'sending' AND f.is_unwritten))`;
    const [, , , found] = await batchRows(this.database, [
      PLAN_ONCE_BY_KEYS,
      sql`SELECT FROM fallbacks f WHERE ${own} AND f.state IN ('waiting', 'sending', 'unknown')
          ORDER BY f.message_id FOR UPDATE`,
      sql`UPDATE fallbacks f SET state = CASE WHEN ${isUnsent} THEN 'cancelled' ELSE 'unknown' END, is_unwritten = false, wake_at = NULL,
            ended_at = CASE WHEN ${isUnsent} THEN ${at} ELSE f.ended_at END, updated_at = ${at}
          WHERE ${own} AND (f.state IN ('waiting', 'unknown') OR (f.state = 'sending' AND f.wake_at <= ${at})) AND f.wake_at IS NOT NULL`,
      sql`SELECT FROM fallbacks f WHERE ${own} AND f.state = 'sending' LIMIT 1`,
    ]);
    return (found ?? []).length > 0;
  }

  /** Finds those of the devices whose connection an edge still has to close. */
  async findConnected(appId: string, deviceIds: readonly DeviceId[]): Promise<string[]> {
    const found = await rows<{ id: string }>(
      this.database,
      sql`SELECT DISTINCT device_id::text AS id FROM connection_closures
          WHERE app_id = ${appId} AND device_id = ANY (${deviceIds}::bigint[])`,
    );
    return found.map(({ id }) => id);
  }
}
