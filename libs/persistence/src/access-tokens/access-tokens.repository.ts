import { Inject, Injectable } from '@nestjs/common';
import { In, IsNull } from 'typeorm';
import type { Scope } from '@postrider/domain';
import { type Database, DATABASE, type Executor, rows } from '../database/executor';
import { sql } from '../sql';
import { AccessTokenEntity } from './access-token.entity';

/** An access token as an operator sees it: everything but the token. */
interface AccessToken {
  appId: string;
  tokenId: string;
  name: string;
  scopes: Scope[];
  createdAt: Date;
}

/** A new access token. `tokenHash` is its SHA-256. */
type NewAccessToken = AccessToken & { tokenHash: Buffer };

/** What an access token allows that is valid (not revoked). */
export type LiveAccessToken = Pick<NewAccessToken, 'tokenHash' | 'appId' | 'scopes'>;

/** What a request needs to know about its access token and about the application of the token. */
export interface ShownAccessToken {
  appId: string;
  tokenId: string;
  scopes: readonly Scope[];
  /** Null: the gateway's own limit (`REQUESTS_PER_SECOND`). */
  requestsPerSecond: number | null;
}

/** The access tokens of applications. */
@Injectable()
export class AccessTokensRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Adds an access token, in the transaction that may make its application. */
  async insert(executor: Executor, token: NewAccessToken): Promise<void> {
    await executor.getRepository(AccessTokenEntity).insert({ ...token, revokedAt: null });
  }

  /** Lists the access tokens of an application that are not revoked, oldest first. */
  async list(appId: string): Promise<AccessToken[]> {
    return this.database
      .getRepository(AccessTokenEntity)
      .find({ where: { appId, revokedAt: IsNull() }, order: { createdAt: 'ASC', tokenId: 'ASC' } });
  }

  /** Finds the valid access tokens among these hashes. Unknown and revoked ones are left out. */
  async findLive(tokenHashes: readonly Buffer[]): Promise<LiveAccessToken[]> {
    return this.database.getRepository(AccessTokenEntity).find({
      select: { tokenHash: true, appId: true, scopes: true },
      where: { tokenHash: In(tokenHashes), revokedAt: IsNull() },
    });
  }

  /** Finds the access token with this hash. Returns null if it is unknown or revoked. */
  async findShown(tokenHash: Buffer): Promise<ShownAccessToken | null> {
    const [found] = await rows<ShownAccessToken>(
      this.database,
      sql`SELECT t.app_id AS "appId", t.token_id AS "tokenId", t.scopes, a.requests_per_second AS "requestsPerSecond"
          FROM tokens t JOIN applications a ON a.app_id = t.app_id
          WHERE t.token_hash = ${tokenHash} AND t.revoked_at IS NULL`,
    );
    return found ?? null;
  }

  /** Revokes one access token. A token that is already revoked does not change. @returns true if the token exists */
  async revoke(appId: string, tokenId: string, at: Date): Promise<boolean> {
    const result = await this.database
      .getRepository(AccessTokenEntity)
      .update({ appId, tokenId, revokedAt: IsNull() }, { revokedAt: at });
    return (result.affected ?? 0) > 0;
  }
}
