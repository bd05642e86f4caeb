import { Inject, Injectable } from '@nestjs/common';
import type { NewTokenRequest, NewTokenResponse, TokenResponse } from '@postrider/contracts';
import { type Clock, DomainError, isUuid } from '@postrider/domain';
import { AccessTokensRepository, type Database, DATABASE, type Executor } from '@postrider/persistence';
import { CLOCK, generateAccessToken, hashAccessToken, newId } from '@postrider/platform';
import { CallerLookup } from '../../auth/caller-lookup.service';
import { Applications } from './applications.service';

/** Makes, lists and revokes the access tokens of applications. A token is shown once; only its hash is stored. */
@Injectable()
export class Tokens {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly accessTokens: AccessTokensRepository,
    private readonly applications: Applications,
    private readonly callers: CallerLookup,
  ) {}

  /** Makes an access token, whose text only this answer shows. @throws DomainError NOT_FOUND; CONFLICT */
  async create(appId: string, token: NewTokenRequest): Promise<NewTokenResponse> {
    await this.applications.checkStays(appId);
    return this.add(this.database, appId, token);
  }

  /** Makes an access token for an existing application, or for one that the caller's transaction makes. */
  async add(executor: Executor, appId: string, { name, scopes }: NewTokenRequest): Promise<NewTokenResponse> {
    const token = generateAccessToken();
    const id = newId();
    await this.accessTokens.insert(executor, {
      appId,
      tokenId: id,
      name,
      scopes,
      createdAt: this.clock.now(),
      tokenHash: hashAccessToken(token),
    });
    return { id, token };
  }

  /** Lists the tokens that are not revoked, without their texts. @throws DomainError NOT_FOUND */
  async list(appId: string): Promise<TokenResponse[]> {
    await this.applications.check(appId);
    return (await this.accessTokens.list(appId)).map(({ tokenId, name, scopes, createdAt }) => ({
      id: tokenId,
      name,
      scopes,
      createdAt: createdAt.toISOString(),
    }));
  }

  /** This gateway accepts the token no longer, and within 5 s no other does. @throws DomainError NOT_FOUND */
  async revoke(appId: string, tokenId: string): Promise<void> {
    const isKnown = isUuid(tokenId) && (await this.accessTokens.revoke(appId, tokenId, this.clock.now()));
    if (!isKnown) throw new DomainError('NOT_FOUND', 'There is no such token');
    this.callers.forget(appId);
  }
}
