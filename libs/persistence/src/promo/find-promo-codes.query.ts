import { type Executor, rows } from '../database/executor';

/** What one user was given; `code` null: every set was used up when he was first asked for. */
export interface ClaimedPromoCode {
  userId: string;
  code: string | null;
}

/**
 * SQL for what message $2 gave the users of a list. Each is looked up by the whole key, whatever is known of a table that a
 * running campaign fills.
 */
export const GIVEN_TO_USERS = (users: string): string => `
  SELECT a.user_id, a.code FROM (SELECT DISTINCT unnest(${users}::text[]) AS user_id) u
  CROSS JOIN LATERAL (
    SELECT user_id, code FROM promo_assignments WHERE app_id = $1 AND message_id = $2 AND user_id = u.user_id LIMIT 1
  ) a`;

/** What a message gave these users, as far as it was asked for them. */
export async function findPromoCodes(
  executor: Executor,
  { appId, messageId, userIds }: { appId: string; messageId: string; userIds: readonly string[] },
): Promise<ClaimedPromoCode[]> {
  return rows<ClaimedPromoCode>(executor, `SELECT user_id AS "userId", code FROM (${GIVEN_TO_USERS('$3')}) g`, [
    appId,
    messageId,
    userIds,
  ]);
}
