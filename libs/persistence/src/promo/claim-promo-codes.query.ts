import type { Executor } from '../database/executor';
import { rows } from '../database/executor';
import { promoSetsLock } from '../database/lock-ids';
import { preparedRows } from '../database/prepared-rows';
import { sql } from '../sql';
import { type ClaimedPromoCode, GIVEN_TO_USERS } from './find-promo-codes.query';
import { PROMO_BLOCK_CODES } from './promo-set';

/** Users of one message who are each to have a code. */
export interface PromoClaim {
  appId: string;
  messageId: string;
  /** The campaign, whose own set is asked first; null: only the global set is. */
  trackId: string | null;
  userIds: readonly string[];
  now: Date;
}

/** A set whose stock fell to its threshold by this claim. */
export interface LowPromoSet {
  setId: string;
  trackId: string;
  remaining: number;
  lowStockAt: number;
}

/**
 * Makes the transaction the only one that moves promo codes of an application until it ends: claims of one application, and
 * swaps of its sets, follow one another. What the next statement reads is what all earlier ones left.
 */
export async function holdPromoSets(executor: Executor, appId: string): Promise<void> {
  await rows(executor, sql`SELECT pg_advisory_xact_lock(${promoSetsLock({ app: appId })})`);
}

/**
 * Gives each user one code: the one that this message gave him before, else the next of the campaign's set in force, else
 * the next of the global one. Has to run in a transaction (READ COMMITTED) that holds the sets (`holdPromoSets`).
 */
export async function claimPromoCodes(
  executor: Executor,
  { appId, messageId, trackId, userIds, now }: PromoClaim,
): Promise<{ claimed: ClaimedPromoCode[]; lowSets: LowPromoSet[] }> {
  const found = await preparedRows<{ userId: string | null; code: string | null; lowSet: LowPromoSet | null }>(
    executor,
    CLAIM,
    [appId, messageId, trackId, userIds, now],
  );
  const claimed: ClaimedPromoCode[] = [];
  const lowSets: LowPromoSet[] = [];
  for (const { userId, code, lowSet } of found) {
    if (userId !== null) claimed.push({ userId, code });
    else if (lowSet !== null) lowSets.push(lowSet);
  }
  return { claimed, lowSets };
}

/**
 * The next codes of a set in force, in the order of the file. Rows are read as they are needed; `wanted` of them are enough
 * however few codes each holds.
 */
const nextCodes = (track: string, wanted: string): string => `
  SELECT s.set_id, s.track_id, c.ordinal, c.code
  FROM promo_sets s CROSS JOIN LATERAL (
    SELECT b.number * ${PROMO_BLOCK_CODES} + line.place AS ordinal, line.code
    FROM (
      SELECT number, codes FROM promo_codes
      WHERE app_id = $1 AND set_id = s.set_id AND number >= (s.last_ordinal - 1) / ${PROMO_BLOCK_CODES}
      ORDER BY number LIMIT ${wanted} + 1
    ) b CROSS JOIN LATERAL string_to_table(b.codes, E'\\n') WITH ORDINALITY AS line (code, place)
    WHERE b.number * ${PROMO_BLOCK_CODES} + line.place > s.last_ordinal
    ORDER BY b.number, line.place LIMIT ${wanted}
  ) c
  WHERE s.app_id = $1 AND s.track_id = ${track} AND s.state = 'in_force' AND s.remaining > 0 AND ${wanted} > 0`;

const CLAIM = `
  WITH known AS MATERIALIZED (
    ${GIVEN_TO_USERS('$4')}
  ), fresh AS MATERIALIZED (
    SELECT user_id, row_number() OVER (ORDER BY first) AS place FROM (
      SELECT user_id COLLATE "C" AS user_id, min(place) AS first
      FROM unnest($4::text[]) WITH ORDINALITY AS given (user_id, place) GROUP BY 1
    ) u
    WHERE user_id NOT IN (SELECT user_id FROM known)
  ), own AS MATERIALIZED (
    ${nextCodes('$3', '(SELECT count(*) FROM fresh)')}
  ), shared AS MATERIALIZED (
    ${nextCodes(`''`, '((SELECT count(*) FROM fresh) - (SELECT count(*) FROM own))')}
  ), taken AS MATERIALIZED (
    SELECT *, row_number() OVER (ORDER BY track_id = '', ordinal) AS place
    FROM (SELECT * FROM own UNION ALL SELECT * FROM shared) t
  ), advanced AS (
    UPDATE promo_sets s SET last_ordinal = t.last_ordinal, remaining = s.remaining - t.given, assigned = s.assigned + t.given,
      low_since = CASE WHEN s.remaining - t.given <= s.low_stock_at THEN coalesce(s.low_since, $5::timestamptz) END
    FROM (SELECT set_id, max(ordinal) AS last_ordinal, count(*) AS given FROM taken GROUP BY set_id) t
    WHERE s.app_id = $1 AND s.set_id = t.set_id
    RETURNING s.set_id, s.track_id, s.remaining, s.low_stock_at, s.low_since
  ), written AS (
    INSERT INTO promo_assignments (app_id, message_id, user_id, set_id, ordinal, code, claimed_at)
    SELECT $1, $2, f.user_id, t.set_id, t.ordinal, t.code, $5::timestamptz
    FROM fresh f LEFT JOIN taken t USING (place)
    RETURNING user_id, code
  )
  SELECT user_id AS "userId", code, NULL::json AS "lowSet" FROM known
  UNION ALL SELECT user_id, code, NULL FROM written
  UNION ALL SELECT NULL, NULL, json_build_object('setId', set_id, 'trackId', track_id, 'remaining', remaining,
    'lowStockAt', low_stock_at) FROM advanced a
  WHERE a.low_since IS NOT NULL
    AND (SELECT s.low_since FROM promo_sets s WHERE s.app_id = $1 AND s.set_id = a.set_id) IS NULL`;
