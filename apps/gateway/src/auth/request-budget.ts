import { LRUCache } from 'lru-cache';

/** More applications than send requests within the second in which a bucket is full again. */
const APPLICATIONS = 10_000;

/**
 * A token bucket for each application: `rate` requests a second, and as many at once. Time is given, so that a test needs
 * no waiting. `@fastify/rate-limit` counts in windows: docs/decisions/0022-own-code-in-the-request-pipeline.md.
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
