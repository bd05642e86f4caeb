import { IsNull } from 'typeorm';
import type { Scope } from '@postrider/domain';
import type { Executor } from '../database/executor';
import { TokenEntity } from './token.entity';

/** A token as an operator sees it: everything but the token. */
export interface Token {
  appId: string;
  tokenId: string;
  name: string;
  scopes: Scope[];
  createdAt: Date;
}

/** A new token. `tokenHash` is its SHA-256. */
export type NewToken = Token & { tokenHash: Buffer };

/** Adds a token. */
export async function insertToken(executor: Executor, token: NewToken): Promise<void> {
  await executor.getRepository(TokenEntity).insert({ ...token, revokedAt: null });
}

/** An application's tokens that are not revoked, oldest first. */
export async function listTokens(executor: Executor, appId: string): Promise<Token[]> {
  return executor
    .getRepository(TokenEntity)
    .find({ where: { appId, revokedAt: IsNull() }, order: { createdAt: 'ASC', tokenId: 'ASC' } });
}

/** Revokes one token. @returns whether there was one to revoke */
export async function revokeToken(executor: Executor, appId: string, tokenId: string, at: Date): Promise<boolean> {
  const result = await executor
    .getRepository(TokenEntity)
    .update({ appId, tokenId, revokedAt: IsNull() }, { revokedAt: at });
  return (result.affected ?? 0) > 0;
}

/** Revokes every token of an application. */
export async function revokeAllTokens(executor: Executor, appId: string, at: Date): Promise<void> {
  await executor.getRepository(TokenEntity).update({ appId, revokedAt: IsNull() }, { revokedAt: at });
}
