import { type Executor, rows } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import { CLAIM_MARK } from '../pages/claim-page.statement';

/** A device that belongs to another user since a moment ago. */
export interface HandOver {
  appId: string;
  deviceId: number;
  /** Who has it now. */
  userId: string;
}

/** How long hand-overs are told. A page that was claimed before one ends sooner, or its worker is gone. */
const TOLD_FOR = `interval '1 minute'`;

/**
 * The owner has the device from `now` on, which has to be later than the commit that made them its owner: whatever was sent to
 * an audience that was still looked for before that commit, is not theirs. To be called after that commit.
 *
 * @returns the moment after which nobody claims a page with the former owner on it, by PostgreSQL's clock
 */
export async function confirmHandOver(
  executor: Executor,
  { appId, deviceId, userId }: { appId: string; deviceId: string; userId: string },
  now: Date,
): Promise<string> {
  const [confirmed] = await rows<{ at: string }>(
    executor,
    `WITH owner AS (
       UPDATE installations SET user_since = $4
       WHERE app_id = $1 AND id = $2::bigint AND user_id = $3 AND user_since < $4 RETURNING id
     ), former AS (
       UPDATE former_owners f SET until = $4
       WHERE f.app_id = $1 AND f.id = (
         SELECT last.id FROM former_owners last JOIN owner ON owner.id = last.device_id
         WHERE last.app_id = $1 ORDER BY last.until DESC, last.id DESC LIMIT 1)
     ), old AS (
       DELETE FROM hand_overs WHERE at < now() - ${TOLD_FOR}
     )
     SELECT clock_timestamp()::text AS at`,
    [appId, deviceId, userId, now],
  );
  return confirmed?.at ?? '';
}

/** PostgreSQL's clock, as text. */
export async function readDatabaseTime(executor: Executor): Promise<string> {
  const [read] = await rows<{ at: string }>(executor, `SELECT clock_timestamp()::text AS at`);
  return read?.at ?? '';
}

/**
 * Whether a device may still be sent something that was for its former owner: a claim that began before `since` is under way,
 * or a worker has the device on a page in hand and it has no outcome there.
 */
export async function isInHand(
  executor: Executor,
  { appId, deviceId }: { appId: string; deviceId: string },
  since: string,
  now: Date,
): Promise<boolean> {
  const found = await preparedRows(executor, IS_IN_HAND, [appId, deviceId, since, now]);
  return found.length > 0;
}

/** Asked again and again while it is so: planned once, and the page is looked up by the first and the last device on it. */
const IS_IN_HAND = `
  SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND state = 'active' AND query_start <= $3::timestamptz
    AND query LIKE '${CLAIM_MARK.toQuery().text}%'
  UNION ALL
  SELECT FROM pages p
  WHERE p.app_id = $1 AND p.device_ids[1] <= $2::bigint AND p.device_ids[cardinality(p.device_ids)] >= $2::bigint
    AND p.state = 'running' AND p.edge_id IS NULL AND p.vendor <> 'connection' AND p.wake_at > $4
    AND p.device_ids @> ARRAY[$2::bigint] AND coalesce((
      SELECT d.rank FROM deliveries d WHERE d.app_id = $1 AND d.message_id = p.message_id AND d.device_id = $2::bigint
    ), 0) = 0
  LIMIT 1`;

/** Devices that changed hands lately. */
export async function findHandOvers(executor: Executor): Promise<HandOver[]> {
  return rows<HandOver>(
    executor,
    `SELECT app_id AS "appId", device_id::float8 AS "deviceId", user_id AS "userId" FROM hand_overs
     WHERE at > now() - ${TOLD_FOR} ORDER BY id`,
  );
}

/** A message and who gets it. */
export interface Addressee {
  appId: string;
  messageId: string;
  userId: string;
}

/** Those of `asked` whose message names users, and not this one: their places in `asked`. */
export async function findNotNamed(executor: Executor, asked: readonly Addressee[]): Promise<Set<number>> {
  const found = await rows<{ place: number }>(
    executor,
    `SELECT a.place::integer - 1 AS place
     FROM unnest($1::text[], $2::uuid[], $3::text[]) WITH ORDINALITY AS a (app_id, message_id, user_id, place)
     CROSS JOIN LATERAL (
       SELECT user_ids FROM messages WHERE app_id = a.app_id AND id = a.message_id LIMIT 1
     ) m
     WHERE m.user_ids IS NOT NULL AND a.user_id <> ALL (m.user_ids)`,
    [asked.map(({ appId }) => appId), asked.map(({ messageId }) => messageId), asked.map(({ userId }) => userId)],
  );
  return new Set(found.map(({ place }) => place));
}
