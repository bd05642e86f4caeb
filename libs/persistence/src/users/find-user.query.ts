import type { JsonObject } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import type { UserTags } from '../tags/tags-of-many-users';

/** A user as the application knows him. */
export type User = UserTags & { attributes: JsonObject };

/** The user, or null. */
export async function findUser(executor: Executor, appId: string, userId: string): Promise<User | null> {
  const found = await rows<User>(
    executor,
    `SELECT tags, tag_values AS "tagValues", attributes FROM users WHERE app_id = $1 AND user_id = $2`,
    [appId, userId],
  );
  return found[0] ?? null;
}
