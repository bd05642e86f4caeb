import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Clock, covers, DomainError, InvalidRequest, type Scope, SCOPES } from '@postrider/domain';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import { factsOf } from '../http/request-facts';
import type { Caller } from './caller';
import type { AuthenticatedRequest } from './current-caller.decorator';
import type { TokenRecord } from './find-token.query';
import { RequestBudget } from './request-budget';
import { REQUIRED_SCOPES } from './require-scope.decorator';

import { ROUTE_ACCESS } from './route-access.decorator';
import { unauthorized } from './unauthorized';

/**
 * Lets a request through to a route when the route's marks (`@RequireScope`, `@OperatorOnly`, `@Public`) allow its sender,
 * and puts the `Caller` on it. A route without a mark answers nobody.
 */
@Injectable()
export class AuthGuard implements CanActivate {
  readonly #budget = new RequestBudget();

  constructor(
    private readonly reflector: Reflector,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws DomainError UNAUTHORIZED, FORBIDDEN, RATE_LIMITED, or INVALID_REQUEST when an operator names no application */
  canActivate(context: ExecutionContext): boolean {
    const marked = [context.getHandler(), context.getClass()];
    const access = this.reflector.getAllAndOverride<'operator' | 'public' | undefined>(ROUTE_ACCESS, marked);
    if (access === 'public') return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const needed = this.reflector.getAllAndOverride<readonly Scope[] | undefined>(REQUIRED_SCOPES, marked) ?? [];
    request.caller = access === 'operator' ? operatorOf(request) : this.#callerOf(request, needed);
    factsOf(request).appId = request.caller.appId;
    return true;
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

  #checkBudget({ appId, requestsPerSecond }: TokenRecord): void {
    const rate = requestsPerSecond ?? this.config.requestsPerSecond;
    if (rate === 0) return;
    const wait = this.#budget.take(appId, rate, this.clock.now().getTime());
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

/** An operator's call to an application's own endpoint: he has to say which application. */
function operatorActingOn(application: string | null | undefined): Caller {
  if (application === null) throw new DomainError('NOT_FOUND', 'There is no such application');
  if (application === undefined) {
    throw new InvalidRequest([{ path: 'appId', message: 'must name the application to act on' }]);
  }
  return { appId: application, scopes: SCOPES, tokenId: null };
}
