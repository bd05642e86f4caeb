import { type Executor, rows } from '../database/executor';

/**
 * Remembers the number of a fallback whose provider says that its owner told it to stop, as a common table expression: a
 * table `recorded` with the fallback's columns. Twilio: 21610; Kavenegar: the status 14 (blocked by its owner).
 */
export const RECORD_OPT_OUTS = `
  INSERT INTO opted_out_numbers (app_id, phone, provider, code, opted_out_at)
  SELECT app_id, phone, provider, error_code, updated_at FROM recorded
  WHERE phone IS NOT NULL AND state IN ('failed', 'undelivered')
    AND (provider, error_code) IN (('twilio', '21610'), ('kavenegar', '14'))
  ON CONFLICT (app_id, phone) DO NOTHING`;

/** A number whose owner wants no SMS. */
export interface OptedOutNumber {
  phone: string;
  provider: string;
  code: string;
  optedOutAt: Date;
}

/** Those of `phones` whose owners want no SMS of the application. */
export async function findOptedOutNumbers(
  executor: Executor,
  appId: string,
  phones: readonly string[],
): Promise<Set<string>> {
  if (phones.length === 0) return new Set();
  const found = await rows<{ phone: string }>(
    executor,
    `SELECT phone FROM opted_out_numbers WHERE app_id = $1 AND phone = ANY ($2::text[])`,
    [appId, phones],
  );
  return new Set(found.map(({ phone }) => phone));
}

/** Numbers whose owners want no SMS of the application, behind `afterPhone`, in order. */
export async function listOptedOutNumbers(
  executor: Executor,
  appId: string,
  { afterPhone, limit }: { afterPhone: string; limit: number },
): Promise<OptedOutNumber[]> {
  return rows<OptedOutNumber>(
    executor,
    `SELECT phone, provider, code, opted_out_at AS "optedOutAt" FROM opted_out_numbers
     WHERE app_id = $1 AND phone > $2 ORDER BY phone LIMIT $3`,
    [appId, afterPhone, limit],
  );
}

/** Forgets that a number's owner wanted no SMS. @returns whether it was known */
export async function deleteOptedOutNumber(executor: Executor, appId: string, phone: string): Promise<boolean> {
  const gone = await rows(executor, `DELETE FROM opted_out_numbers WHERE app_id = $1 AND phone = $2 RETURNING 1`, [
    appId,
    phone,
  ]);
  return gone.length > 0;
}
