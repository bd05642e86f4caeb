import { Inject, Injectable } from '@nestjs/common';
import { type Clock, DomainError } from '@postrider/domain';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { factsOf } from './caller';
import { accessOf } from './endpoint-access.decorator';

/** More applications than can send requests within the second in which a bucket refills. */
const APPLICATIONS = 10_000;

/**
 * A token bucket for each application: `rate` requests per second, and as many at once. The caller passes the time, so
 * that tests need not wait. `@fastify/rate-limit` counts in windows:
 * docs/decisions/0022-own-code-in-the-request-pipeline.md.
 */
export class RequestBudget {
  readonly #buckets = new LRUCache<string, { tokens: number; at: number }>({ max: APPLICATIONS });

  /** Takes one request from the application's bucket. @returns 0, or the seconds until there is room for one */
  take(appId: string, rate: number, nowMs: number): number {
    const bucket = this.#buckets.get(appId) ?? { tokens: rate, at: nowMs };
    const refilled = bucket.tokens + (Math.max(0, nowMs - bucket.at) * rate) / 1_000;
    bucket.tokens = Math.min(rate, refilled);
    bucket.at = nowMs;
    this.#buckets.set(appId, bucket);
    if (bucket.tokens < 1) return Math.max(1, Math.ceil((1 - bucket.tokens) / rate));
    bucket.tokens -= 1;
    return 0;
  }
}

/**
 * Limits the requests per second of an application's tokens. Requests of operators, and those that need no token, are
 * not limited.
 */
@Injectable()
export class RequestLimit {
  readonly #budget = new RequestBudget();

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'requestsPerSecond'>,
  ) {}

  /**
   * Takes one request from the budget of the token's application, at the application's own rate or that of the
   * settings.
   *
   * @throws DomainError RATE_LIMITED, with the seconds to wait
   */
  check(request: FastifyRequest): void {
    const { identity } = factsOf(request);
    if (identity.kind !== 'token' || accessOf(request)?.kind !== 'token') return;
    const { appId, requestsPerSecond } = identity.token;
    const rate = requestsPerSecond ?? this.config.requestsPerSecond;
    if (rate === 0) return;
    const wait = this.#budget.take(appId, rate, this.clock.steadyMs());
    if (wait > 0) {
      throw new DomainError('RATE_LIMITED', `More than ${rate} requests per second`, { retryAfterSeconds: wait });
    }
  }
}
