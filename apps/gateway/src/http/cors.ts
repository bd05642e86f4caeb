import type { FastifyReply, FastifyRequest } from 'fastify';

/** Endpoints that a web page's own client calls: devices register, report and read from anywhere on the web. */
const FOR_BROWSERS = /^\/api\/(?:installations|push\/messages)(?:[/?]|$)/;
const METHODS = 'GET, POST, PUT, DELETE, HEAD, OPTIONS';
const HEADERS = 'Accept, Authorization, Content-Type, Idempotency-Key, X-Access-Token, X-Request-Id, X-User-Hash';
const EXPOSED = 'X-Request-Id, X-Message-Id, X-Batch-Id, Retry-After';

/** Whether a web page of any origin may call `url` (behind its base address). */
export function isForBrowsers(url: string): boolean {
  return FOR_BROWSERS.test(url);
}

/**
 * Opens an endpoint to web pages of any origin: a token in the request is what counts, and no cookie is ever read there, so
 * credentials are not allowed.
 *
 * @returns whether the request was a preflight, which is then answered
 */
export function allowAnyOrigin(request: FastifyRequest, reply: FastifyReply): boolean {
  void reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', EXPOSED);
  if (request.method !== 'OPTIONS') return false;
  void reply
    .header('access-control-allow-methods', METHODS)
    .header('access-control-allow-headers', HEADERS)
    .header('access-control-max-age', '86400')
    .code(204)
    .send();
  return true;
}
