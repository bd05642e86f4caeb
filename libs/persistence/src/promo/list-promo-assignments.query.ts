import { type Executor, rows } from '../database/executor';
import type { PromoSetKey } from './promo-set';

/** Who was given a code of a set, and when. */
export interface PromoAssignment {
  ordinal: number;
  code: string;
  userId: string;
  messageId: string;
  claimedAt: Date;
}

/** Which assignments to list; null: no matter whose. */
export interface PromoAssignmentFilter {
  userId: string | null;
  messageId: string | null;
  afterOrdinal: number;
}

const COLUMNS = `ordinal, code, user_id AS "userId", message_id AS "messageId", claimed_at AS "claimedAt"`;

/** What was given of a set, in the order in which it was. One user's are found by the user, whatever PostgreSQL expects. */
export async function listPromoAssignments(
  executor: Executor,
  { appId, setId }: PromoSetKey,
  { userId, messageId, afterOrdinal }: PromoAssignmentFilter,
  limit: number,
): Promise<PromoAssignment[]> {
  const source =
    userId === null
      ? `SELECT * FROM promo_assignments WHERE app_id = $1 AND set_id = $2 AND ordinal > $3 AND $5::text IS NULL`
      : `SELECT * FROM promo_assignments WHERE app_id = $1 AND user_id = $5 OFFSET 0`;
  return rows<PromoAssignment>(
    executor,
    `SELECT ${COLUMNS} FROM (${source}) a
     WHERE set_id = $2 AND ordinal > $3 AND ($4::uuid IS NULL OR message_id = $4) ORDER BY ordinal LIMIT $6`,
    [appId, setId, afterOrdinal, messageId, userId, limit],
  );
}

/** A code that a user was given, of whatever set. */
export interface PromoCodeOfUser {
  code: string;
  messageId: string;
  claimedAt: Date;
}

/** The codes that a user was given, by message. */
export async function findPromoCodesOfUser(
  executor: Executor,
  appId: string,
  userId: string,
  { afterId, limit }: { afterId: string; limit: number },
): Promise<PromoCodeOfUser[]> {
  return rows<PromoCodeOfUser>(
    executor,
    `SELECT code, message_id AS "messageId", claimed_at AS "claimedAt" FROM promo_assignments
     WHERE app_id = $1 AND user_id = $2 AND message_id > $3 AND code IS NOT NULL ORDER BY message_id LIMIT $4`,
    [appId, userId, afterId, limit],
  );
}
