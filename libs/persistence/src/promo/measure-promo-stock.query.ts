import { type Executor, rows } from '../database/executor';

/** The stock of one application's sets in force. */
export interface PromoStock {
  appId: string;
  /** What is left in the set that has least. */
  lowestRemaining: number;
  /** Sets at or below their threshold. */
  lowSets: number;
}

/** The stock of every application that has promo sets. */
export async function measurePromoStock(executor: Executor): Promise<PromoStock[]> {
  return rows<PromoStock>(
    executor,
    `SELECT app_id AS "appId", min(remaining)::float8 AS "lowestRemaining",
       (count(*) FILTER (WHERE low_since IS NOT NULL))::integer AS "lowSets"
     FROM promo_sets WHERE state = 'in_force' GROUP BY app_id`,
  );
}
