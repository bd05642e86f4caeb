import { createHash } from 'node:crypto';
import { canonicalJson, type JsonValue } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';

/** An event is known again for this many days after the day of its first report. */
export const DAYS_REMEMBERED = 3;

/** What one user's devices report in a day beyond this many events is not remembered: all of it counts. */
const MOST_A_DAY = 10_000;

/** 128 bits: nobody but the device itself can gain from two events of one digest. */
const DIGEST_BYTES = 16;

/**
 * Tells events that are reported for the first time from those that come again, and remembers the former. Has to run in a
 * transaction that holds the user (`UsersRepository.lockOfDevice`), so that of two reports at once one is the first.
 *
 * @param device with `today` as the lock gave it; the partition of that day exists
 * @param events with `identity`, what tells an event from the device's others; null: it counts each time
 * @returns for each event whether it counts
 */
export async function rememberEvents(
  executor: Executor,
  device: { appId: string; deviceId: string; userId: string; today: string },
  events: readonly { identity: JsonValue | null }[],
): Promise<boolean[]> {
  const { appId, deviceId, userId, today } = device;
  const digests = events.map(({ identity }) => (identity === null ? null : digestOf(deviceId, identity)));
  const firstPlace = new Map<string, number>();
  digests.forEach((digest, place) => {
    if (digest !== null && !firstPlace.has(digest)) firstPlace.set(digest, place);
  });
  if (firstPlace.size === 0) return events.map(() => true);
  const unseen = [...firstPlace.keys()];
  const found = await rows<{ digest: string }>(executor, REMEMBER, [appId, userId, unseen, MOST_A_DAY, today]);
  const counts = new Set(found.map(({ digest }) => firstPlace.get(digest)));
  return digests.map((digest, place) => digest === null || counts.has(place));
}

function digestOf(deviceId: string, identity: JsonValue): string {
  const digest = createHash('sha256')
    .update(canonicalJson([deviceId, identity]))
    .digest();
  return digest.toString('hex', 0, DIGEST_BYTES);
}

// A transaction that began before midnight may run after one that began behind it: the day to come is looked at as well. The
// day is a parameter, so that PostgreSQL plans for the partitions of these days alone.
const REMEMBER = `
  WITH unknown AS (
    SELECT e.digest FROM (SELECT decode(hex, 'hex') AS digest FROM unnest($3::text[]) AS e (hex)) e
    WHERE NOT EXISTS (
      SELECT FROM reported_events r
      WHERE r.app_id = $1 AND r.user_id = $2 AND r.digest = e.digest
        AND r.day BETWEEN $5::date - ${DAYS_REMEMBERED} AND $5::date + 1
    )
  ), room AS (
    SELECT count(*) < $4::int AS is_left FROM (
      SELECT FROM reported_events WHERE app_id = $1 AND user_id = $2 AND day = $5::date LIMIT $4::int
    ) r
  ), remembered AS (
    INSERT INTO reported_events (app_id, user_id, digest, day)
    SELECT $1, $2, digest, $5::date FROM unknown WHERE (SELECT is_left FROM room)
    ON CONFLICT DO NOTHING
    RETURNING digest
  )
  SELECT encode(digest, 'hex') AS digest FROM remembered
  UNION ALL SELECT encode(digest, 'hex') FROM unknown WHERE NOT (SELECT is_left FROM room)`;
