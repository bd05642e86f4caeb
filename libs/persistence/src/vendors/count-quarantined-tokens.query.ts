import { type Executor, rows } from '../database/executor';

/** How many tokens of all applications are in quarantine, by vendor, and how many are to be switched off soon. */
export async function countQuarantinedTokens(
  executor: Executor,
): Promise<{ vendor: string; quarantined: number; pending: number }[]> {
  return rows<{ vendor: string; quarantined: number; pending: number }>(
    executor,
    `SELECT q.vendor, count(*) FILTER (WHERE ${IS_KEPT})::int AS quarantined,
       count(*) FILTER (WHERE NOT (${IS_KEPT}))::int AS pending
     FROM quarantined_tokens q LEFT JOIN vendor_troubles t ON t.app_id = q.app_id AND t.vendor = q.vendor
     GROUP BY q.vendor`,
  );
}

const IS_KEPT = 't.quarantined_since IS NOT NULL OR q.due_at IS NULL';
