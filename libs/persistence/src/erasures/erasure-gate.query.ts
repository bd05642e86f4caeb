import { type Executor, rows } from '../database/executor';

/** A user who is being erased, by one call. */
export interface Erasure {
  appId: string;
  userId: string;
  erasureId: string;
}

/** Longer than any one step takes. */
const HOLDS_FOR = `interval '1 minute'`;
/** Whoever has not held an erasure for the other half of that time is dead. Until then nobody writes for the user again. */
const FORSAKEN_BEFORE = `clock_timestamp() + interval '30 seconds'`;

/** Begins to keep out what would write the user anew (`isBeingErased`), as soon as this is committed. */
export async function beginErasure(executor: Executor, { appId, userId, erasureId }: Erasure): Promise<void> {
  await rows(
    executor,
    `INSERT INTO erasures (app_id, user_id, erasure_id, ends_at)
     SELECT app_id, $2, $3::uuid, clock_timestamp() + ${HOLDS_FOR} FROM applications WHERE app_id = $1`,
    [appId, userId, erasureId],
  );
}

/** Goes on keeping them out. @returns false when another process has ended the erasure meanwhile */
export async function holdErasure(executor: Executor, { appId, userId, erasureId }: Erasure): Promise<boolean> {
  const held = await rows(
    executor,
    `UPDATE erasures SET ends_at = clock_timestamp() + ${HOLDS_FOR}
     WHERE app_id = $1 AND user_id = $2 AND erasure_id = $3::uuid RETURNING 1`,
    [appId, userId, erasureId],
  );
  return held.length > 0;
}

/**
 * Takes up an erasure that was broken off, or whose process died: the one that waits longest. From then on it is kept as if it had
 * begun now.
 *
 * @returns null when there is none
 */
export async function takeForsakenErasure(executor: Executor): Promise<Erasure | null> {
  const [taken] = await rows<Erasure>(
    executor,
    `UPDATE erasures e SET ends_at = clock_timestamp() + ${HOLDS_FOR} FROM (
       SELECT app_id, user_id, erasure_id FROM erasures WHERE ends_at < ${FORSAKEN_BEFORE}
       ORDER BY ends_at LIMIT 1 FOR UPDATE SKIP LOCKED
     ) forsaken
     WHERE e.app_id = forsaken.app_id AND e.user_id = forsaken.user_id AND e.erasure_id = forsaken.erasure_id
     RETURNING e.app_id AS "appId", e.user_id AS "userId", e.erasure_id AS "erasureId"`,
    [],
  );
  return taken ?? null;
}

/** Lets everybody write for the user again, although the erasure has not ended: the next one goes on with it. */
export async function breakOffErasure(executor: Executor, { appId, userId, erasureId }: Erasure): Promise<void> {
  await rows(
    executor,
    `UPDATE erasures SET ends_at = clock_timestamp() WHERE app_id = $1 AND user_id = $2 AND erasure_id = $3::uuid`,
    [appId, userId, erasureId],
  );
}

/** The devices that this and broken off erasures of the user removed, and have not looked for everywhere. */
export async function findErasedDevices(executor: Executor, { appId, userId }: Erasure): Promise<string[]> {
  const found = await rows<{ id: string }>(
    executor,
    `SELECT DISTINCT device.id::text AS id FROM erasures e CROSS JOIN LATERAL unnest(e.device_ids) AS device (id)
     WHERE e.app_id = $1 AND e.user_id = $2`,
    [appId, userId],
  );
  return found.map(({ id }) => id);
}

/** Ends an erasure, and those of the same user that were broken off. */
export async function endErasure(executor: Executor, { appId, userId, erasureId }: Erasure): Promise<void> {
  await rows(
    executor,
    `DELETE FROM erasures
     WHERE app_id = $1 AND user_id = $2 AND (erasure_id = $3::uuid OR ends_at <= clock_timestamp())`,
    [appId, userId, erasureId],
  );
}

/**
 * The transactions that have asked who is being erased, and may have been told before the last `beginErasure` was committed. As
 * the triggers read `erasures`, each holds a lock on it until it ends.
 */
export async function findEarlierWriters(executor: Executor): Promise<string[]> {
  const found = await rows<{ writer: string }>(
    executor,
    `SELECT DISTINCT virtualtransaction AS writer FROM pg_locks
     WHERE locktype = 'relation' AND granted AND pid <> pg_backend_pid() AND relation = 'erasures'::regclass
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [],
  );
  return found.map(({ writer }) => writer);
}

/** A page that a worker has in hand, at one claim. */
export interface PageInHand {
  messageId: string;
  pageId: string;
  fence: number;
}

/** The pages with one of these devices that workers have in hand: they may know its token. */
export async function findPagesInHand(
  executor: Executor,
  appId: string,
  deviceIds: readonly string[],
): Promise<PageInHand[]> {
  return rows<PageInHand>(
    executor,
    `SELECT message_id AS "messageId", id AS "pageId", fence FROM pages
     WHERE app_id = $1 AND state <> 'finished' AND state = 'running' AND edge_id IS NULL AND device_ids && $2::bigint[]`,
    [appId, deviceIds],
  );
}

/** Those of `pages` that are still in the same hands. */
export async function findStillInHand(
  executor: Executor,
  appId: string,
  pages: readonly PageInHand[],
  now: Date,
): Promise<PageInHand[]> {
  return rows<PageInHand>(
    executor,
    `SELECT message_id AS "messageId", id AS "pageId", p.fence
     FROM unnest($2::uuid[], $3::uuid[], $4::integer[]) AS held (message, page, fence)
     JOIN pages p ON p.app_id = $1 AND p.message_id = held.message AND p.id = held.page AND p.fence = held.fence
     WHERE p.state = 'running' AND p.wake_at > $5`,
    [
      appId,
      pages.map(({ messageId }) => messageId),
      pages.map(({ pageId }) => pageId),
      pages.map(({ fence }) => fence),
      now,
    ],
  );
}

/** Whether a worker is sending the user an SMS in place of a message at this moment. */
export async function isFallbackInHand(executor: Executor, appId: string, userId: string, now: Date): Promise<boolean> {
  const found = await rows(
    executor,
    `SELECT 1 FROM messages m JOIN fallbacks f ON f.app_id = $1 AND f.message_id = m.id AND f.user_id = $2
     WHERE m.app_id = $1 AND m.user_ids @> ARRAY[$2::text] AND f.state = 'sending' AND f.wake_at > $3 LIMIT 1`,
    [appId, userId, now],
  );
  return found.length > 0;
}

/** Ends the user's fallbacks that wait. */
export async function cancelFallbacksOf(executor: Executor, appId: string, userId: string, now: Date): Promise<void> {
  await rows(
    executor,
    `UPDATE fallbacks f SET state = 'cancelled', wake_at = NULL, ended_at = $3, updated_at = $3 FROM messages m
     WHERE m.app_id = $1 AND m.user_ids @> ARRAY[$2::text]
       AND f.app_id = $1 AND f.message_id = m.id AND f.user_id = $2 AND f.state = 'waiting'`,
    [appId, userId, now],
  );
}

/** Those of the devices whose connection an edge has yet to close. */
export async function findConnectedOf(
  executor: Executor,
  appId: string,
  deviceIds: readonly string[],
): Promise<string[]> {
  const found = await rows<{ id: string }>(
    executor,
    `SELECT DISTINCT device_id::text AS id FROM connection_closures WHERE app_id = $1 AND device_id = ANY ($2::bigint[])`,
    [appId, deviceIds],
  );
  return found.map(({ id }) => id);
}
