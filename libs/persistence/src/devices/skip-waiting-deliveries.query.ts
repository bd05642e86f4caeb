import { type Executor, rows } from '../database/executor';

/** Why a delivery is skipped: a word to count by and a sentence to read. */
export interface SkipCause {
  errorCode: string;
  reason: string;
}

/**
 * Ends what waits for these devices to connect: it was meant for a former owner, or for a device that is gone.
 *
 * @returns how many deliveries were skipped
 */
export async function skipWaitingDeliveries(
  executor: Executor,
  appId: string,
  deviceIds: readonly string[],
  { errorCode, reason }: SkipCause,
  at: Date,
): Promise<number> {
  const skipped = await rows(
    executor,
    `UPDATE deliveries SET state = 'skipped', rank = 1, error_code = $3, reason = $4, updated_at = $5
     WHERE app_id = $1 AND device_id = ANY ($2::bigint[]) AND state = 'pending'
     RETURNING 1`,
    [appId, deviceIds, errorCode, reason, at],
  );
  return skipped.length;
}
