import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { AuthenticatedRequest } from './current-caller.decorator';
import { accessOf } from './route-access.decorator';
import { unauthorized } from './unauthorized';

/** Answers nobody on a controller's route that has no mark, and so no caller that `Authorization` let in. */
@Injectable()
export class AuthGuard implements CanActivate {
  /** @throws DomainError UNAUTHORIZED */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Partial<AuthenticatedRequest>>();
    if (accessOf(request as AuthenticatedRequest)?.kind === 'public' || request.caller) return true;
    throw unauthorized();
  }
}
