import { type Executor, rows } from '../database/executor';
import type { Erasure } from './erasure-gate.query';

/**
 * Removes up to `limit` installations of a user, with their connections. Their numbers stand with the erasure from then on: what
 * they did has still to be looked for.
 *
 * @returns how many went; fewer than `limit` means that none is left, or that another process has ended the erasure
 */
export async function eraseDevices(
  executor: Executor,
  { appId, userId, erasureId }: Erasure,
  limit: number,
): Promise<number> {
  const gone = await rows(
    executor,
    `WITH held AS MATERIALIZED (
       SELECT id FROM installations WHERE app_id = $1 AND user_id = $2
         AND EXISTS (SELECT FROM erasures WHERE app_id = $1 AND user_id = $2 AND erasure_id = $3::uuid)
       ORDER BY id LIMIT $4 FOR UPDATE
     ), gone AS (
       DELETE FROM installations WHERE app_id = $1 AND id = ANY (ARRAY(SELECT id FROM held)) RETURNING id
     ), noted AS (
       UPDATE erasures SET device_ids = device_ids || ARRAY(SELECT id FROM gone)
       WHERE app_id = $1 AND user_id = $2 AND erasure_id = $3::uuid
     ), offline AS (
       DELETE FROM presence p USING gone WHERE p.app_id = $1 AND p.id = gone.id
     ), handovers AS (
       DELETE FROM deferred_handovers h USING gone WHERE h.app_id = $1 AND h.device_id = gone.id
     ), tokens AS (
       DELETE FROM quarantined_tokens q USING gone WHERE q.app_id = $1 AND q.device_id = gone.id
     )
     SELECT id FROM gone`,
    [appId, userId, erasureId, limit],
  );
  return gone.length;
}

/** Removes what the inboxes of these devices were marked with. */
export async function eraseInboxMarks(executor: Executor, appId: string, deviceIds: readonly string[]): Promise<void> {
  await rows(executor, `DELETE FROM inbox_marks WHERE app_id = $1 AND device_id = ANY ($2::bigint[])`, [
    appId,
    deviceIds,
  ]);
}

/** The phone number that a user has as an attribute, if it is a text. */
export async function findPhoneOf(executor: Executor, appId: string, userId: string): Promise<string | null> {
  const [found] = await rows<{ phone: string | null }>(
    executor,
    `SELECT attributes ->> 'phone' AS phone FROM users
     WHERE app_id = $1 AND user_id = $2 AND jsonb_typeof(attributes -> 'phone') = 'string'`,
    [appId, userId],
  );
  return found?.phone ?? null;
}

/** Forgets a user themselves, the links that they opened and the codes that they got. @returns how many links went */
export async function eraseUserRow(executor: Executor, appId: string, userId: string): Promise<{ links: number }> {
  const erased = await rows<{ links: number }>(
    executor,
    `WITH links AS (DELETE FROM link_opens WHERE app_id = $1 AND user_id = $2 RETURNING 1),
     codes AS (DELETE FROM promo_assignments WHERE app_id = $1 AND user_id = $2),
     former AS (DELETE FROM former_owners WHERE app_id = $1 AND user_id = $2),
     told AS (DELETE FROM hand_overs WHERE app_id = $1 AND user_id = $2),
     reported AS (DELETE FROM reported_events WHERE app_id = $1 AND user_id = $2),
     owner AS (DELETE FROM users WHERE app_id = $1 AND user_id = $2)
     SELECT count(*)::int AS links FROM links`,
    [appId, userId],
  );
  return erased[0] ?? { links: 0 };
}

/** What names a user in lists of lines that a file of tags had and that could not be worked. */
export async function eraseFromTagErrors(executor: Executor, appId: string, pattern: string): Promise<void> {
  await rows(executor, `UPDATE tag_job_errors SET message = '(erased)' WHERE app_id = $1 AND message ~ $2`, [
    appId,
    pattern,
  ]);
}
