import type { Scope } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';

/** A token that holds. */
export interface LiveToken {
  tokenHash: Buffer;
  appId: string;
  scopes: Scope[];
}

/** Those of the tokens with these hashes that hold: unknown and revoked ones are left out. */
export async function findLiveTokens(executor: Executor, tokenHashes: readonly Buffer[]): Promise<LiveToken[]> {
  return rows<LiveToken>(
    executor,
    `SELECT token_hash AS "tokenHash", app_id AS "appId", scopes FROM tokens
     WHERE token_hash = ANY ($1::bytea[]) AND revoked_at IS NULL`,
    [tokenHashes],
  );
}
