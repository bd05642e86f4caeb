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
import { ERASED_USER, type LowPromoSet, type PromoSetKey } from './promo-set';

/** Who got a code of a set, and when. */
export interface PromoAssignment {
  ordinal: number;
  code: string;
  userId: string;
  messageId: string;
  claimedAt: Date;
}

/** Which assignments to list. Null: no filter. */
interface PromoAssignmentFilter {
  userId: string | null;
  messageId: string | null;
  afterOrdinal: number;
}

/** A code that a user got, from any set. */
interface PromoCodeOfUser {
  code: string;
  messageId: string;
  claimedAt: Date;
}

/** Which user was given which promo code for which message. */
@Injectable()
export class PromoAssignmentsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Gives each user one code: the one that this message gave them before, or else the next one of the campaign's set in
   * force, or else the next one of the global set. It must run in a transaction (READ COMMITTED) that holds the sets
   * (`PromoSetsRepository.hold`).
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

  /** Finds what a message gave to these users, if it was asked for them. */
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

  /**
   * Lists the assignments of a set, in the order in which they were made, without those to users who were erased. Those
   * of one user are found by the user, whatever PostgreSQL estimates.
   */
  async list(
    { appId, setId }: PromoSetKey,
    { userId, messageId, afterOrdinal }: PromoAssignmentFilter,
    limit: number,
  ): Promise<PromoAssignment[]> {
    const [set, after, message] = [parameter(setId), parameter(afterOrdinal), parameter(messageId)];
    // OFFSET 0 makes PostgreSQL look the user up first, and then filter by the set.
    const source =
      userId === null
        ? sql`SELECT * FROM promo_assignments WHERE app_id = ${appId} AND set_id = ${set} AND ordinal > ${after}`
        : sql`SELECT * FROM promo_assignments WHERE app_id = ${appId} AND user_id = ${userId} OFFSET 0`;
    return rows<PromoAssignment>(
      this.database,
      sql`SELECT ordinal, code, user_id AS "userId", message_id AS "messageId", claimed_at AS "claimedAt" FROM (${source}) a
          WHERE set_id = ${set} AND ordinal > ${after} AND user_id <> ${ERASED_USER} AND (${message}::uuid IS NULL OR message_id = ${message})
          ORDER BY ordinal LIMIT ${limit}`,
    );
  }

  /** Lists the codes that a user got, by message. */
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

  /** Deletes up to `limit` records of codes that were given before `before`. @returns the number of deleted records */
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
