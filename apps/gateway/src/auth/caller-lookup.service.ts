import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { AccessTokensRepository, ApplicationsRepository, type ShownAccessToken } from '@postrider/persistence';
import { CLOCK, CONFIG, createExpiringCache, type GatewayConfig, hashAccessToken } from '@postrider/platform';
import type { LRUCache } from 'lru-cache';

/** A revoked token must be refused everywhere within 5 s. One second is left for the lookup itself. */
const REMEMBERED_MS = 4_000;
const KNOWN_TOKENS = 20_000;
/** A cache of its own, so that a flood of invented tokens evicts no real one. */
const UNKNOWN_TOKENS = 20_000;
const HOST_LABELS = 5_000;

/**
 * Looks up whom an access token and a host name belong to, and caches the answers for a few seconds. It stores hashes,
 * never tokens.
 */
@Injectable()
export class CallerLookup {
  readonly #known: LRUCache<string, ShownAccessToken>;
  readonly #unknown: LRUCache<string, true>;
  readonly #labels: LRUCache<string, { appId: string | null }>;
  readonly #underWay = new Map<string, Promise<ShownAccessToken | null>>();
  readonly #adminHash: Buffer;

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly accessTokens: AccessTokensRepository,
    private readonly applications: ApplicationsRepository,
    @Inject(CONFIG) config: GatewayConfig,
  ) {
    this.#known = createExpiringCache(clock, KNOWN_TOKENS, REMEMBERED_MS);
    this.#unknown = createExpiringCache(clock, UNKNOWN_TOKENS, REMEMBERED_MS);
    this.#labels = createExpiringCache(clock, HOST_LABELS, REMEMBERED_MS);
    this.#adminHash = hashAccessToken(config.adminToken.reveal());
  }

  /** True if `token` is the `ADMIN_TOKEN`. Takes the same time for any value. */
  isAdminToken(token: string): boolean {
    return this.isAdminHash(hashAccessToken(token));
  }

  /** Like `isAdminToken`, by the hash of the token. */
  isAdminHash(hash: Buffer): boolean {
    return timingSafeEqual(hash, this.#adminHash);
  }

  /** The token's record, or null. From the cache, synchronously, if it was looked up lately. */
  findToken(token: string): ShownAccessToken | null | Promise<ShownAccessToken | null> {
    return this.findTokenByHash(hashAccessToken(token));
  }

  /** Like `findToken`, by the hash of the token. */
  findTokenByHash(hash: Buffer): ShownAccessToken | null | Promise<ShownAccessToken | null> {
    const key = hash.toString('base64');
    const known = this.#known.get(key);
    if (known) return known;
    if (this.#unknown.get(key)) return null;
    return this.#underWay.get(key) ?? this.#lookUp(key, hash);
  }

  /** The id of the application that equals `label`, ignoring case, or null. */
  async findApplicationByLabel(label: string): Promise<string | null> {
    const remembered = this.#labels.get(label);
    if (remembered) return remembered.appId;
    const start = this.clock.steadyMs();
    const appId = await this.applications.findIdByLabel(label);
    this.#labels.set(label, { appId }, { start });
    return appId;
  }

  /** Removes the tokens and the host name of an application from this process's caches: they were changed. */
  forget(appId: string): void {
    for (const [key, token] of this.#known.entries()) if (token.appId === appId) this.#known.delete(key);
    this.#labels.delete(appId.toLowerCase());
  }

  /** Looks a token up once for all requests that ask for it at the same time. */
  #lookUp(key: string, hash: Buffer): Promise<ShownAccessToken | null> {
    const start = this.clock.steadyMs();
    const lookUp = this.accessTokens
      .findShown(hash)
      .then((record) => {
        if (record) this.#known.set(key, record, { start });
        else this.#unknown.set(key, true, { start });
        return record;
      })
      .finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, lookUp);
    return lookUp;
  }
}
