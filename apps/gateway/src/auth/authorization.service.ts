import { LRUCache } from 'lru-cache';
import { Inject, Injectable } from '@nestjs/common';
import { type Clock, covers, DomainError, InvalidRequest, type Scope, SCOPES } from '@postrider/domain';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import type { ShownAccessToken } from '@postrider/persistence';
import { type AuthenticatedRequest, type Caller, factsOf } from './caller';
import { accessOf } from './endpoint-access.decorator';
import { SignInLimit } from './sign-in-limit.service';
import { unauthorized } from './request-token';

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

/**
 * Decides whether the sender of a request may call its route, which the route's marks say (`@RequireScope`, `@OperatorOnly`,
 * `@Public`), and puts the `Caller` on the request. Nothing of the body has been read then.
 */
@Injectable()
export class Authorization {
  readonly #budget = new RequestBudget();

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
    private readonly signInLimit: SignInLimit,
  ) {}

  /**
   * A route without a mark answers nobody. What plugins serve (the panel, the queues, links) they decide about themselves.
   *
   * @throws DomainError UNAUTHORIZED, FORBIDDEN, RATE_LIMITED, or INVALID_REQUEST when an operator names no application
   * @returns a promise only where a wrong token was shown to an operator's route, which is counted
   */
  authorize(request: AuthenticatedRequest): void | Promise<void> {
    const access = accessOf(request);
    if (access === undefined) throw unauthorized();
    if (access.kind !== 'operator' && access.kind !== 'token') return;
    if (access.kind === 'operator' && factsOf(request).identity.kind !== 'operator') return this.#refuse(request);
    request.caller = access.kind === 'operator' ? operatorOf(request) : this.#callerOf(request, access.scopes);
    factsOf(request).appId = request.caller.appId;
  }

  async #refuse(request: AuthenticatedRequest): Promise<void> {
    throw await this.signInLimit.refuseShown(request);
  }

  #callerOf(request: AuthenticatedRequest, needed: readonly Scope[]): Caller {
    const { identity } = factsOf(request);
    if (identity.kind === 'operator') return operatorActingOn(identity.application);
    if (identity.kind === 'stranger') throw unauthorized();
    const { appId, scopes, tokenId } = identity.token;
    if (!needed.some((scope) => covers(scopes, scope))) {
      throw new DomainError('FORBIDDEN', `This call needs a token with the scope ${needed.join(' or ')}`);
    }
    this.#checkBudget(identity.token);
    return { appId, scopes, tokenId };
  }

  #checkBudget({ appId, requestsPerSecond }: ShownAccessToken): void {
    const rate = requestsPerSecond ?? this.config.requestsPerSecond;
    if (rate === 0) return;
    const wait = this.#budget.take(appId, rate, this.clock.steadyMs());
    if (wait > 0) {
      throw new DomainError('RATE_LIMITED', `More than ${rate} requests per second`, { retryAfterSeconds: wait });
    }
  }
}

function operatorOf(request: AuthenticatedRequest): Caller {
  const { identity } = factsOf(request);
  if (identity.kind !== 'operator') throw unauthorized();
  return { appId: identity.application ?? '', scopes: SCOPES, tokenId: null };
}

/** An operator's call to an application's own endpoint: they have to say which application. */
function operatorActingOn(application: string | null | undefined): Caller {
  if (application === null) throw new DomainError('NOT_FOUND', 'There is no such application');
  if (application === undefined) {
    throw new InvalidRequest([{ path: 'appId', message: 'must name the application' }]);
  }
  return { appId: application, scopes: SCOPES, tokenId: null };
}
