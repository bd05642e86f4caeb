import type { FastifyReply, FastifyRequest } from 'fastify';

/** Endpoints for the clients of web pages: devices register, report and read from any page. */
const FOR_BROWSERS = /^\/api\/(?:installations|push\/messages)(?:[/?]|$)/;
const METHODS = 'GET, POST, PUT, DELETE, HEAD, OPTIONS';
const HEADERS = 'Accept, Authorization, Content-Type, Idempotency-Key, X-Access-Token, X-Request-Id, X-User-Hash';
const EXPOSED = 'X-Request-Id, X-Message-Id, X-Batch-Id, Idempotent-Replayed, Retry-After, WWW-Authenticate';

/**
 * Opens these endpoints to web pages of any origin. Only a token in the request counts, and no cookie is ever read
 * there, so credentials are not allowed. `@fastify/cors` is not used: see
 * docs/decisions/0022-own-code-in-the-request-pipeline.md.
 *
 * @returns 'answered' if the request was a preflight
 */
export function answerPreflight(request: FastifyRequest, reply: FastifyReply): 'answered' | undefined {
  if (!FOR_BROWSERS.test(request.url)) return undefined;
  void reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED);
  if (request.method !== 'OPTIONS') return undefined;
  void reply
    .header('access-control-allow-methods', METHODS)
    .header('access-control-allow-headers', HEADERS)
    .header('access-control-max-age', '86400')
    .code(204)
    .send();
  return 'answered';
}
