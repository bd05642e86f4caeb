import { type Executor, rows } from '../database/executor';

/** How many tokens of all applications are in quarantine, by vendor. */
export async function countQuarantinedTokens(executor: Executor): Promise<{ vendor: string; count: number }[]> {
  return rows<{ vendor: string; count: number }>(
    executor,
    `SELECT vendor, count(*)::int AS count FROM quarantined_tokens GROUP BY vendor`,
  );
}
