import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { type Clock, DomainError } from '@postrider/domain';
import { SignInsRepository } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, createExpiringCache } from '@postrider/platform';
import type { FastifyRequest } from 'fastify';
import type { LRUCache } from 'lru-cache';
import { countedAddress } from './counted-address';
import { readShownToken, unauthorized } from './request-token';

const MOST_FAILURES = 10;
const WINDOW_SECONDS = 60;
const ADDRESSES = 10_000;

/**
 * Slows down the guessing of tokens at every place to sign in: the panel, the queues board, and the bearer header of
 * operators' calls. After ten wrong tokens within a minute, further wrong ones from that address are answered 429 until
 * the minute is over. All gateways count together, in PostgreSQL. A right token is never refused, whatever others tried
 * from the same address.
 */
@Injectable()
export class SignInLimit {
  /** Blocked addresses: their further tries do not reach the database. */
  readonly #waiting: LRUCache<string, number>;

  constructor(
    private readonly signIns: SignInsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<Config, 'trustedProxies'>,
  ) {
    this.#waiting = createExpiringCache(clock, ADDRESSES, WINDOW_SECONDS * 1_000);
  }

  /** The error for a refused request: UNAUTHORIZED without a token. A token is counted as a wrong one. */
  async refuseShown(request: FastifyRequest): Promise<DomainError> {
    return readShownToken(request).kind === 'none' ? unauthorized() : this.refuse(request.raw);
  }

  /** Counts a wrong token. @returns the error to answer: UNAUTHORIZED, or RATE_LIMITED */
  async refuse(request: IncomingMessage): Promise<DomainError> {
    const address = countedAddress(request, this.config.trustedProxies);
    const now = this.clock.steadyMs();
    const until = this.#waiting.get(address);
    if (until !== undefined && until > now) return tooMany(Math.ceil((until - now) / 1_000));
    const { failures, secondsLeft } = await this.signIns.countFailure(address, WINDOW_SECONDS);
    if (failures <= MOST_FAILURES) return unauthorized();
    this.#waiting.set(address, now + secondsLeft * 1_000, { start: now });
    return tooMany(secondsLeft);
  }
}

function tooMany(seconds: number): DomainError {
  return new DomainError('RATE_LIMITED', 'Too many requests with a wrong token', {
    retryAfterSeconds: Math.max(1, seconds),
  });
}
