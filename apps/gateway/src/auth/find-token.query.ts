import type { Scope } from '@postrider/domain';
import { type Executor, rows } from '@postrider/persistence';

/** A token that holds, and what is needed of its application for each request. */
export interface TokenRecord {
  appId: string;
  tokenId: string;
  scopes: readonly Scope[];
  /** Null: the gateway's own limit (`REQUESTS_PER_SECOND`). */
  requestsPerSecond: number | null;
}

/** The token with this hash, or null when there is none or it was revoked. */
export async function findToken(executor: Executor, tokenHash: Buffer): Promise<TokenRecord | null> {
  const [found] = await rows<TokenRecord>(
    executor,
    `SELECT t.app_id AS "appId", t.token_id AS "tokenId", t.scopes, a.requests_per_second AS "requestsPerSecond"
       FROM tokens t JOIN applications a ON a.app_id = t.app_id
      WHERE t.token_hash = $1 AND t.revoked_at IS NULL`,
    [tokenHash],
  );
  return found ?? null;
}
