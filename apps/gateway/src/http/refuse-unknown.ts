import { DomainError } from '@postrider/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { changesOnGet } from '../auth/route-access.decorator';
import { acceptsJson } from './accepts-json';
import type { RouteTable } from './route-table';

const API = /^\/api(?:[/?]|$)/;
/** An export answers in its own format, and statistics in that which the caller takes. */
const EXPORT = /\/(?:export|stats)\/?(?:\?|$)/;

/**
 * Refuses what no route answers: a path or method that there is not, and callers who take no JSON.
 *
 * @throws DomainError NOT_FOUND, METHOD_NOT_ALLOWED (and `Allow`), NOT_ACCEPTABLE
 */
export function refuseUnknown(request: FastifyRequest, reply: FastifyReply, routes: RouteTable): void {
  if (request.is404) {
    const allowed = routes.methodsOf(request.url.split('?')[0] ?? '');
    if (allowed.length === 0) throw new DomainError('NOT_FOUND', 'There is no such path');
    void reply.header('allow', allowed.join(', '));
    throw new DomainError('METHOD_NOT_ALLOWED', `The methods of this path are ${allowed.join(', ')}`);
  }
  if (request.method === 'HEAD' && changesOnGet(request)) {
    void reply.header('allow', 'GET');
    throw new DomainError(
      'METHOD_NOT_ALLOWED',
      'HEAD is not allowed here, because GET changes data; the method of this path is GET',
    );
  }
  if (API.test(request.url) && !EXPORT.test(request.url) && !acceptsJson(request.headers.accept)) {
    throw new DomainError('NOT_ACCEPTABLE', 'The answer is application/json, which the Accept header excludes');
  }
}
