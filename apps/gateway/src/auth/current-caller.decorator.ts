import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Caller } from './caller';

/** A request that the guard has let through. */
export interface AuthenticatedRequest extends FastifyRequest {
  caller: Caller;
}

/** The `Caller` of the request, as a controller method's parameter. */
export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext): Caller => context.switchToHttp().getRequest<AuthenticatedRequest>().caller,
);
