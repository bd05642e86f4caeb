import { type Executor, rows } from '../database/executor';

/** A token that a vendor called dead, as it was when it was used. */
export interface DeadToken {
  deviceId: number;
  token: string;
  /** As read with the token, to the microsecond. */
  registeredAt: string | null;
  /** The vendor's own timestamp: a token registered after it is alive again. */
  deadSince: Date | null;
}

/**
 * Switches dead tokens off, each only if the device still has that token from that registration, and did not register it
 * after the vendor's timestamp.
 *
 * @returns how many were switched off
 */
export async function switchOffTokens(
  executor: Executor,
  appId: string,
  tokens: readonly DeadToken[],
  now: Date,
): Promise<number> {
  const switchedOff = await rows(executor, SWITCH_OFF_TOKENS, [
    appId,
    tokens.map(({ deviceId }) => deviceId),
    tokens.map(({ token }) => token),
    tokens.map(({ registeredAt }) => registeredAt),
    tokens.map(({ deadSince }) => deadSince),
    now,
  ]);
  return switchedOff.length;
}

const SWITCH_OFF_TOKENS = `
  UPDATE installations i
  SET token_status = 'INVALID', updated_at = $6
  FROM unnest($2::bigint[], $3::text[], $4::timestamptz[], $5::timestamptz[]) AS dead (id, token, registered_at, dead_since)
  WHERE i.app_id = $1 AND i.id = dead.id AND i.token = dead.token
    AND i.token_registered_at IS NOT DISTINCT FROM dead.registered_at
    AND (dead.dead_since IS NULL OR i.token_registered_at IS NULL OR i.token_registered_at <= dead.dead_since)
    AND i.token_status IS DISTINCT FROM 'INVALID'
  RETURNING i.id`;
