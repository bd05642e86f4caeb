import { Inject, Injectable } from '@nestjs/common';
import type { NewTokenRequest, NewTokenResponse, TokenResponse } from '@postrider/contracts';
import { type Clock, DomainError } from '@postrider/domain';
import { type Database, DATABASE, insertToken, listTokens, revokeToken } from '@postrider/persistence';
import { CLOCK, generateAccessToken, hashAccessToken, newId } from '@postrider/platform';
import { isUuid } from '../installations/installation-id';
import { Applications } from './applications.service';

/** Makes, lists and revokes the tokens of applications. A token is shown once; its hash is what is kept. */
@Injectable()
export class Tokens {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly applications: Applications,
  ) {}

  /** @throws DomainError NOT_FOUND */
  async create(appId: string, { name, scopes }: NewTokenRequest): Promise<NewTokenResponse> {
    await this.applications.find(appId);
    const token = generateAccessToken();
    const id = newId();
    const createdAt = this.clock.now();
    await insertToken(this.database, {
      appId,
      tokenId: id,
      name,
      scopes,
      createdAt,
      tokenHash: hashAccessToken(token),
    });
    return { id, token };
  }

  /** @throws DomainError NOT_FOUND */
  async list(appId: string): Promise<TokenResponse[]> {
    await this.applications.find(appId);
    return (await listTokens(this.database, appId)).map(({ tokenId, name, scopes, createdAt }) => ({
      id: tokenId,
      name,
      scopes,
      createdAt: createdAt.toISOString(),
    }));
  }

  /** Within 5 s no gateway takes the token any more. @throws DomainError NOT_FOUND */
  async revoke(appId: string, tokenId: string): Promise<void> {
    if (isUuid(tokenId) && (await revokeToken(this.database, appId, tokenId, this.clock.now()))) return;
    throw new DomainError('NOT_FOUND', 'There is no such token');
  }
}
