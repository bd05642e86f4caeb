import { Injectable } from '@nestjs/common';
import { covers, DomainError, InvalidRequest, type Scope, SCOPES } from '@postrider/domain';
import { type AuthenticatedRequest, type Caller, factsOf } from './caller';
import { accessOf } from './endpoint-access.decorator';
import { SignInLimit } from './sign-in-limit.service';
import { unauthorized } from './request-token';

/**
 * Decides if the caller may call the route of a request, by the marks of the route (`@RequireScope`, `@OperatorOnly`,
 * `@Public`), and puts the `Caller` on the request. Nothing of the body has been read then.
 */
@Injectable()
export class Authorization {
  constructor(private readonly signInLimit: SignInLimit) {}

  /**
   * A route without a mark answers nobody. Plugins (the panel, the queues, links) decide about their own routes.
   *
   * @throws DomainError UNAUTHORIZED, FORBIDDEN, INVALID_REQUEST or NOT_FOUND if an operator names no application or an
   * unknown one, and RATE_LIMITED after too many wrong tokens on operators' routes
   * @returns a promise only if an operator's route got a wrong token, which is counted
   */
  authorize(request: AuthenticatedRequest): void | Promise<void> {
    const access = accessOf(request);
    if (access === undefined) throw unauthorized();
    if (access.kind !== 'operator' && access.kind !== 'token') return;
    if (access.kind === 'operator' && factsOf(request).identity.kind !== 'operator') return this.#refuse(request);
    request.caller = access.kind === 'operator' ? operatorOf(request) : this.#callerOf(request, access.scopes);
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
    return { appId, scopes, tokenId };
  }
}

function operatorOf(request: AuthenticatedRequest): Caller {
  const { identity } = factsOf(request);
  if (identity.kind !== 'operator') throw unauthorized();
  return { appId: identity.application ?? '', scopes: SCOPES, tokenId: null };
}

/** An operator's call to an application's own endpoint: the operator has to name the application. */
function operatorActingOn(application: string | null | undefined): Caller {
  if (application === null) throw new DomainError('NOT_FOUND', 'There is no such application');
  if (application === undefined) {
    throw new InvalidRequest([{ path: 'appId', message: 'must name the application' }]);
  }
  return { appId: application, scopes: SCOPES, tokenId: null };
}
