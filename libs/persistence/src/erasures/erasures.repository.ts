import { Inject, Injectable } from '@nestjs/common';
import type { DeviceId } from '@postrider/domain';
import { type Database, DATABASE, rows } from '../database/executor';
import { inRetriedTransaction } from '../database/retried-transaction';
import { parameter, sql } from '../sql';

/** A user who is being erased, by one call. */
export interface Erasure {
  appId: string;
  userId: string;
  erasureId: string;
}

/** A page that a worker has in hand, at one claim. */
export interface PageInHand {
  messageId: string;
  pageId: string;
  fence: number;
}

/** Longer than any one step takes. */
const HOLDS_FOR = sql`interval '1 minute'`;
/** Whoever has not held an erasure for the other half of that time is dead. Until then nobody writes for the user again. */
const FORSAKEN_BEFORE = sql`clock_timestamp() + interval '30 seconds'`;

/** The erasures of users: they keep out what would write a user anew, and say what is still under way for them. */
@Injectable()
export class ErasuresRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Begins to keep out what would write the user anew (`isBeingErased`), as soon as this is committed. */
  async begin({ appId, userId, erasureId }: Erasure): Promise<void> {
    await rows(
      this.database,
      sql`INSERT INTO erasures (app_id, user_id, erasure_id, ends_at)
          SELECT app_id, ${userId}, ${erasureId}::uuid, clock_timestamp() + ${HOLDS_FOR}
          FROM applications WHERE app_id = ${appId}`,
    );
  }

  /** Goes on keeping them out. @returns false when another process has ended the erasure meanwhile */
  async hold({ appId, userId, erasureId }: Erasure): Promise<boolean> {
    const held = await rows(
      this.database,
      sql`UPDATE erasures SET ends_at = clock_timestamp() + ${HOLDS_FOR}
          WHERE app_id = ${appId} AND user_id = ${userId} AND erasure_id = ${erasureId}::uuid RETURNING 1`,
    );
    return held.length > 0;
  }

  /**
   * Takes up an erasure that was broken off, or whose process died: the one that waits longest. From then on it is kept as if it
   * had begun now.
   *
   * @returns null when there is none
   */
  async takeForsaken(): Promise<Erasure | null> {
    const [taken] = await rows<Erasure>(
      this.database,
      sql`UPDATE erasures e SET ends_at = clock_timestamp() + ${HOLDS_FOR} FROM (
            SELECT app_id, user_id, erasure_id FROM erasures WHERE ends_at < ${FORSAKEN_BEFORE}
            ORDER BY ends_at LIMIT 1 FOR UPDATE SKIP LOCKED
          ) forsaken
          WHERE e.app_id = forsaken.app_id AND e.user_id = forsaken.user_id AND e.erasure_id = forsaken.erasure_id
          RETURNING e.app_id AS "appId", e.user_id AS "userId", e.erasure_id AS "erasureId"`,
    );
    return taken ?? null;
  }

  /** Lets everybody write for the user again, although the erasure has not ended: the next one goes on with it. */
  async breakOff({ appId, userId, erasureId }: Erasure): Promise<void> {
    await rows(
      this.database,
      sql`UPDATE erasures SET ends_at = clock_timestamp()
          WHERE app_id = ${appId} AND user_id = ${userId} AND erasure_id = ${erasureId}::uuid`,
    );
  }

  /**
   * Forgets a user themselves, the links that they opened and the codes that they got, and with that ends the erasure, and those of
   * the same user that were broken off.
   *
   * @returns how many links went
   */
  async finish({ appId: app, userId: user, erasureId }: Erasure): Promise<{ links: number }> {
    const [appId, userId] = [parameter(app), parameter(user)];
    return inRetriedTransaction(this.database, async (executor) => {
      const [erased] = await rows<{ links: number }>(
        executor,
        sql`WITH links AS (DELETE FROM link_opens WHERE app_id = ${appId} AND user_id = ${userId} RETURNING 1),
            codes AS (DELETE FROM promo_assignments WHERE app_id = ${appId} AND user_id = ${userId}),
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

  /** The devices that this and broken off erasures of the user removed, and have not looked for everywhere. */
  async findDevices({ appId, userId }: Erasure): Promise<string[]> {
    const found = await rows<{ id: string }>(
      this.database,
      sql`SELECT DISTINCT device.id::text AS id FROM erasures e CROSS JOIN LATERAL unnest(e.device_ids) AS device (id)
          WHERE e.app_id = ${appId} AND e.user_id = ${userId}`,
    );
    return found.map(({ id }) => id);
  }

  /**
   * The transactions that have asked who is being erased, and may have been told before the last `begin` was committed. As the
   * triggers read `erasures`, each holds a lock on it until it ends.
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

  /** The pages with one of these devices that workers have in hand: they may know its token. */
  async findPagesInHand(appId: string, deviceIds: readonly DeviceId[]): Promise<PageInHand[]> {
    return rows<PageInHand>(
      this.database,
      sql`SELECT message_id AS "messageId", id AS "pageId", fence FROM pages
          WHERE app_id = ${appId} AND state <> 'finished' AND state = 'running' AND edge_id IS NULL
            AND device_ids && ${deviceIds}::bigint[]`,
    );
  }

  /** Those of `pages` that are still in the same hands. */
  async findStillInHand(appId: string, pages: readonly PageInHand[], now: Date): Promise<PageInHand[]> {
    const messageIds = pages.map(({ messageId }) => messageId);
    const pageIds = pages.map(({ pageId }) => pageId);
    const fences = pages.map(({ fence }) => fence);
    return rows<PageInHand>(
      this.database,
      sql`SELECT message_id AS "messageId", id AS "pageId", p.fence
          FROM unnest(${messageIds}::uuid[], ${pageIds}::uuid[], ${fences}::integer[]) AS held (message, page, fence)
          JOIN pages p ON p.app_id = ${appId} AND p.message_id = held.message AND p.id = held.page AND p.fence = held.fence
          WHERE p.state = 'running' AND p.wake_at > ${now}`,
    );
  }

  /** Whether a worker is sending the user an SMS in place of a message at this moment. */
  async isFallbackInHand(app: string, user: string, now: Date): Promise<boolean> {
    const [appId, userId] = [parameter(app), parameter(user)];
    const found = await rows(
      this.database,
      sql`SELECT 1 FROM messages m JOIN fallbacks f ON f.app_id = ${appId} AND f.message_id = m.id AND f.user_id = ${userId}
          WHERE m.app_id = ${appId} AND m.user_ids @> ARRAY[${userId}::text] AND f.state = 'sending' AND f.wake_at > ${now} LIMIT 1`,
    );
    return found.length > 0;
  }

  /** Those of the devices whose connection an edge has yet to close. */
  async findConnected(appId: string, deviceIds: readonly DeviceId[]): Promise<string[]> {
    const found = await rows<{ id: string }>(
      this.database,
      sql`SELECT DISTINCT device_id::text AS id FROM connection_closures
          WHERE app_id = ${appId} AND device_id = ANY (${deviceIds}::bigint[])`,
    );
    return found.map(({ id }) => id);
  }
}
