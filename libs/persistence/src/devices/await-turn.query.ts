import type { PushVendor } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import { tokenKey } from './token-key';

/** What says which device is meant: its installation, its vendor token, or both. */
export interface DeviceNames {
  installationId: string;
  pushType: PushVendor | null;
  token: string | null;
}

/**
 * Waits until no other transaction that asked for it is at the same device, and keeps the turn until the transaction ends. Whatever
 * such a transaction then holds, it never waits for another of its kind: a phone that many users claim at once makes a queue and
 * no deadlock. A statement of its own: the next one sees what those before it in the queue have done.
 */
export async function awaitTurn(
  executor: Executor,
  appId: string,
  { installationId, pushType, token }: DeviceNames,
): Promise<void> {
  await rows(executor, AWAIT_TURN, [appId, installationId, pushType, token]);
}

const TOKEN_KEY = tokenKey('$3::text', '$4::text');

/** A turn is asked for by the token and by the installations that it leads to, always in one order. */
const AWAIT_TURN = `
  WITH names AS MATERIALIZED (
    SELECT installation_id::text AS name FROM installations WHERE app_id = $1 AND push_type = $3 AND token IS NOT NULL
      AND ${tokenKey('push_type', 'token')} = ${TOKEN_KEY}
    UNION SELECT $2::uuid::text
    UNION SELECT ${TOKEN_KEY}::text WHERE $3 IS NOT NULL AND $4 IS NOT NULL
  ), keys AS MATERIALIZED (SELECT DISTINCT hashtextextended($1 || ' ' || name, 0) AS key FROM names ORDER BY key)
  SELECT pg_advisory_xact_lock(key) FROM keys`;
