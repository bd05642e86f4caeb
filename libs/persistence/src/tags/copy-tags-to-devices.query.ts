import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import type { UserTags } from './user-tags';

/**
 * Gives every installation of a user his tags, in the transaction that changed them. A statement of its own after the change:
 * it sees installations that were registered while the change waited for its lock.
 *
 * @param removed when given, only installations that carried one of these count
 * @returns how many installations the user has (that carried one of `removed`)
 */
export async function copyTagsToDevices(
  executor: Executor,
  appId: string,
  userId: string,
  { tags, tagValues }: UserTags,
  removed?: readonly string[],
): Promise<number> {
  const counted = await preparedRows<{ count: string }>(
    executor,
    `WITH held AS MATERIALIZED (
       SELECT id FROM installations
       WHERE app_id = $1 AND user_id = $2 AND (tags <> $3::text[] OR tag_values <> $4::jsonb)
       ORDER BY id FOR NO KEY UPDATE
     ), changed AS (
       UPDATE installations SET tags = $3::text[], tag_values = $4::jsonb, updated_at = now()
       WHERE app_id = $1 AND id = ANY (ARRAY(SELECT id FROM held))
     )
     SELECT count(*) FROM installations
     WHERE app_id = $1 AND user_id = $2 AND ($5::text[] IS NULL OR tags && $5::text[])`,
    [appId, userId, tags, JSON.stringify(tagValues), removed ?? null],
  );
  return Number(counted[0]?.count ?? 0);
}
