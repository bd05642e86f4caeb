import { Inject, Injectable } from '@nestjs/common';
import type { Clock, Scope } from '@postrider/domain';
import { AccessTokensRepository } from '@postrider/persistence';
import { Batcher, CLOCK, hashAccessToken } from '@postrider/platform';

/** A token that holds, and what it is known by here. */
export interface KnownToken {
  key: string;
  appId: string;
  scopes: readonly Scope[];
}

/** A revoked token is dead everywhere within 5 s (operations, Admin API): this long a found one is not looked up again. */
const REMEMBERED_MS = 2_000;
const MOST_REMEMBERED = 10_000;

/** Looks tokens up by their hash, many at once, and remembers the answers for a moment. */
@Injectable()
export class Credentials {
  readonly #remembered = new Map<string, { token: KnownToken | null; untilMs: number }>();
  readonly #lookUps: Batcher<Buffer, KnownToken | null>;

  constructor(
    private readonly accessTokens: AccessTokensRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.#lookUps = new Batcher((hashes) => this.#find(hashes));
  }

  /** @returns null for an unknown or revoked one */
  async find(text: string): Promise<KnownToken | null> {
    const hash = hashAccessToken(text);
    const key = hash.toString('base64');
    const nowMs = this.clock.now().getTime();
    const remembered = this.#remembered.get(key);
    if (remembered && remembered.untilMs > nowMs) return remembered.token;
    const token = await this.#lookUps.add(hash);
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(key, { token, untilMs: nowMs + REMEMBERED_MS });
    return token;
  }

  /** Those of the tokens with these keys that hold no more. */
  async findDead(keys: readonly string[]): Promise<Set<string>> {
    if (keys.length === 0) return new Set();
    const live = await this.accessTokens.findLive(keys.map((key) => Buffer.from(key, 'base64')));
    const holding = new Set(live.map(({ tokenHash }) => tokenHash.toString('base64')));
    const dead = keys.filter((key) => !holding.has(key));
    for (const key of dead) this.#remembered.delete(key);
    return new Set(dead);
  }

  async #find(hashes: Buffer[]): Promise<(KnownToken | null)[]> {
    const live = new Map(
      (await this.accessTokens.findLive(hashes)).map(({ tokenHash, appId, scopes }) => {
        const key = tokenHash.toString('base64');
        return [key, { key, appId, scopes }] as const;
      }),
    );
    return hashes.map((hash) => live.get(hash.toString('base64')) ?? null);
  }
}
