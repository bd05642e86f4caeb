import { DomainError } from '@postrider/domain';
import { isBeingErased } from '@postrider/persistence';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { factsOf } from '../../auth/caller';

const AGAIN_AFTER_MS = 250;
/** An erasure that takes longer is one of very much; a caller should not hang on it. */
const TIMES = 40;
const RETRY_SECONDS = 5;

/**
 * Lets a request wait that failed because it would write for a user who is being erased. Nothing of it was carried out: its handler is
 * called again. This is no interceptor of Nest's, which would cost every other request a twelfth of its time.
 *
 * @returns the error that is to be answered; null when the handler is called again
 */
export function beginAgain(request: FastifyRequest, reply: FastifyReply, error: unknown): unknown {
  if (!isBeingErased(error) || reply.sent) return error;
  const facts = factsOf(request);
  facts.times = (facts.times ?? 1) + 1;
  if (facts.times > TIMES) {
    return new DomainError('UNAVAILABLE', 'A user of this request is being erased; nothing was done', {
      retryAfterSeconds: RETRY_SECONDS,
    });
  }
  // Nest waits for the end of the answer once for each call.
  reply.raw.setMaxListeners(0);
  setTimeout(() => {
    // The handler answers by itself, also when it fails.
    if (!reply.raw.destroyed) void request.routeOptions.handler.call(request.server, request, reply);
  }, AGAIN_AFTER_MS).unref();
  return null;
}
