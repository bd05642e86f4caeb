import { DomainError } from '@postrider/domain';
import { isBeingErased } from '@postrider/persistence';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { factsOf } from '../../auth/caller';
import { takesUpload } from '../../auth/endpoint-access.decorator';

const AGAIN_AFTER_MS = 250;
/**
 * How often a handler is called at most. An erasure that takes longer has very much to erase, and a caller should not
 * wait for it.
 */
const TIMES = 40;
const RETRY_SECONDS = 5;

/**
 * Lets a request wait that failed because it would write for a user who is being erased. No part of it was carried out:
 * its handler is called again. It is not one of Nest's interceptors, which would cost every other request a twelfth of
 * its time. The body of an upload can be read only once: the caller sends it again.
 * @returns the error to answer with; null if the handler is called again
 */
export function beginAgain(request: FastifyRequest, reply: FastifyReply, error: unknown): unknown {
  if (!isBeingErased(error) || reply.sent) return error;
  if (takesUpload(request)) return beingErased();
  const facts = factsOf(request);
  facts.times = (facts.times ?? 1) + 1;
  if (facts.times > TIMES) return beingErased();
  // Nest waits for the end of the answer once for each call.
  reply.raw.setMaxListeners(0);
  setTimeout(() => {
    // The handler sends the answer itself, also if it fails.
    if (!reply.raw.destroyed) void request.routeOptions.handler.call(request.server, request, reply);
  }, AGAIN_AFTER_MS).unref();
  return null;
}

function beingErased(): DomainError {
  return new DomainError('UNAVAILABLE', 'A user of this request is being erased; send it again', {
    retryAfterSeconds: RETRY_SECONDS,
  });
}
