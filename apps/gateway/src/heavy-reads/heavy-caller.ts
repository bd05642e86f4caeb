import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { AuthenticatedRequest } from '../auth/current-caller.decorator';

/** Who asks for a heavy read. */
export interface HeavyCaller {
  appId: string;
  /** Aborted when nobody waits for the answer any more. */
  gone: AbortSignal;
}

/** Who asks, in a request that the guard has let through. */
export function heavyCallerOf(request: AuthenticatedRequest, reply: FastifyReply): HeavyCaller {
  const gone = new AbortController();
  // Also after a complete answer, when nothing listens any more.
  reply.raw.once('close', () => gone.abort());
  return { appId: request.caller.appId, gone: gone.signal };
}

/** The `HeavyCaller` of the request, as a controller method's parameter. */
export const CurrentHeavyCaller = createParamDecorator((_: unknown, context: ExecutionContext): HeavyCaller => {
  const http = context.switchToHttp();
  return heavyCallerOf(http.getRequest<AuthenticatedRequest>(), http.getResponse<FastifyReply>());
});
