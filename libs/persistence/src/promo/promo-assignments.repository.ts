import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, type Database, type Executor, rows } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import { parameter, sql } from '../sql';
import {
  type ClaimedPromoCode,
  claimPromoCodesStatement,
  givenTo,
  type PromoClaim,
} from './claim-promo-codes.statement';
import type { LowPromoSet, PromoSetKey } from './promo-set';

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

/** A code that a user was given, of whatever set. */
export interface PromoCodeOfUser {
  code: string;
  messageId: string;
  claimedAt: Date;
}

/** Which user was given which promo code for which message. */
@Injectable()
export class PromoAssignmentsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Gives each user one code: the one that this message gave them before, else the next of the campaign's set in force, else
   * the next of the global one. Has to run in a transaction (READ COMMITTED) that holds the sets (`PromoSetsRepository.hold`).
   *
   * @returns an entry for every user, and the sets whose stock fell to their threshold by this claim
   */
  async claim(executor: Executor, claim: PromoClaim): Promise<{ claimed: ClaimedPromoCode[]; lowSets: LowPromoSet[] }> {
    const found = await preparedRows<{ userId: string | null; code: string | null; lowSet: LowPromoSet | null }>(
      executor,
      claimPromoCodesStatement(claim),
    );
    const claimed: ClaimedPromoCode[] = [];
    const lowSets: LowPromoSet[] = [];
    for (const { userId, code, lowSet } of found) {
      if (userId !== null) claimed.push({ userId, code });
      else if (lowSet !== null) lowSets.push(lowSet);
    }
    return { claimed, lowSets };
  }

  /** What a message gave these users, as far as it was asked for them. */
  async find({
    userIds,
    ...message
  }: Pick<PromoClaim, 'appId' | 'messageId' | 'userIds'>): Promise<ClaimedPromoCode[]> {
    const { appId, messageId } = message;
    return rows<ClaimedPromoCode>(
      this.database,
      sql`SELECT user_id AS "userId", code
          FROM (${givenTo({ app: parameter(appId), message: parameter(messageId), users: parameter(userIds) })}) g`,
    );
  }

  /** What was given of a set, in the order in which it was. One user's are found by the user, whatever PostgreSQL expects. */
  async list(
    { appId, setId }: PromoSetKey,
    { userId, messageId, afterOrdinal }: PromoAssignmentFilter,
    limit: number,
  ): Promise<PromoAssignment[]> {
    const [set, after, message] = [parameter(setId), parameter(afterOrdinal), parameter(messageId)];
    // OFFSET 0: PostgreSQL looks the user up first, and takes the set's of what it found.
    const source =
      userId === null
        ? sql`SELECT * FROM promo_assignments WHERE app_id = ${appId} AND set_id = ${set} AND ordinal > ${after}`
        : sql`SELECT * FROM promo_assignments WHERE app_id = ${appId} AND user_id = ${userId} OFFSET 0`;
    return rows<PromoAssignment>(
      this.database,
      sql`SELECT ordinal, code, user_id AS "userId", message_id AS "messageId", claimed_at AS "claimedAt" FROM (${source}) a
          WHERE set_id = ${set} AND ordinal > ${after} AND (${message}::uuid IS NULL OR message_id = ${message})
          ORDER BY ordinal LIMIT ${limit}`,
    );
  }

  /** The codes that a user was given, by message. */
  async listOfUser(
    appId: string,
    userId: string,
    { afterId, limit }: { afterId: string; limit: number },
  ): Promise<PromoCodeOfUser[]> {
    return rows<PromoCodeOfUser>(
      this.database,
      sql`SELECT code, message_id AS "messageId", claimed_at AS "claimedAt" FROM promo_assignments
          WHERE app_id = ${appId} AND user_id = ${userId} AND message_id > ${afterId} AND code IS NOT NULL
          ORDER BY message_id LIMIT ${limit}`,
    );
  }

  /** Deletes up to `limit` records of codes that were given before `before`. @returns how many went */
  async deleteOld(before: Date, limit: number): Promise<number> {
    const deleted = await rows(
      this.database,
      sql`DELETE FROM promo_assignments WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM promo_assignments WHERE claimed_at < ${before} LIMIT ${limit}
          )) RETURNING 1`,
    );
    return deleted.length;
  }
}
