import { Inject, Injectable } from '@nestjs/common';
import type { Clock, Scope } from '@postrider/domain';
import { AccessTokensRepository } from '@postrider/persistence';
import { Batcher, CLOCK, createExpiringCache, hashAccessToken } from '@postrider/platform';
import type { LRUCache } from 'lru-cache';

/** An access token that is not revoked. */
export interface LiveAccessToken {
  /** Its hash. */
  key: string;
  appId: string;
  scopes: readonly Scope[];
}

/** How long an answer is cached: every edge must refuse a revoked access token within 5 s. */
const CACHED_MS = 2_000;
const MOST_CACHED = 10_000;

/** Finds access tokens by their hash, many in one statement, and caches the answers for a moment. */
@Injectable()
export class AccessTokenLookup {
  readonly #cache: LRUCache<string, { accessToken: LiveAccessToken | null }>;
  readonly #lookUps: Batcher<Buffer, LiveAccessToken | null>;

  constructor(
    private readonly repository: AccessTokensRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.#cache = createExpiringCache(clock, MOST_CACHED, CACHED_MS);
    this.#lookUps = new Batcher({ work: (hashes) => this.#find(hashes) });
  }

  /** @returns null if the access token is unknown or revoked */
  async find(text: string): Promise<LiveAccessToken | null> {
    const hash = hashAccessToken(text);
    const key = hash.toString('base64');
    const cached = this.#cache.get(key);
    if (cached) return cached.accessToken;
    const start = this.clock.steadyMs();
    const accessToken = await this.#lookUps.add(hash);
    this.#cache.set(key, { accessToken }, { start });
    return accessToken;
  }

  /** Finds the keys of those access tokens that are revoked. */
  async findRevoked(keys: readonly string[]): Promise<Set<string>> {
    if (keys.length === 0) return new Set();
    const live = await this.repository.findLive(keys.map((key) => Buffer.from(key, 'base64')));
    const liveKeys = new Set(live.map(({ tokenHash }) => tokenHash.toString('base64')));
    const revoked = keys.filter((key) => !liveKeys.has(key));
    for (const key of revoked) this.#cache.delete(key);
    return new Set(revoked);
  }

  async #find(hashes: Buffer[]): Promise<(LiveAccessToken | null)[]> {
    const live = new Map(
      (await this.repository.findLive(hashes)).map(({ tokenHash, appId, scopes }) => {
        const key = tokenHash.toString('base64');
        return [key, { key, appId, scopes }] as const;
      }),
    );
    return hashes.map((hash) => live.get(hash.toString('base64')) ?? null);
  }
}
