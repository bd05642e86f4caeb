import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { DomainError } from '@postrider/domain';
import { changesOnGet } from '../auth/endpoint-access.decorator';
import { acceptsJson } from './accepts-json';

/**
 * The methods of each path, so that a wrong method of a known path is told apart from an unknown path. Filled as routes
 * are added, and read only if no route matched.
 */
export class EndpointTable {
  readonly #methods = new Map<string, Set<string>>();
  #patterns: { pattern: RegExp; methods: Set<string> }[] | undefined;

  add({ url, method }: Pick<RouteOptions, 'url' | 'method'>): void {
    const methods = this.#methods.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    this.#methods.set(url, methods);
    this.#patterns = undefined;
  }

  /** The methods of a path, in alphabetical order. Empty if the path is unknown. */
  methodsOf(path: string): string[] {
    this.#patterns ??= [...this.#methods].map(([url, methods]) => ({ pattern: patternOf(url), methods }));
    const found = new Set<string>();
    for (const { pattern, methods } of this.#patterns) {
      if (pattern.test(path)) for (const method of methods) found.add(method);
    }
    return [...found].sort();
  }
}

/** A route's URL (`/a/:id/b`, `/docs/*`) as a regular expression. A trailing slash makes no difference. */
function patternOf(url: string): RegExp {
  const source = url
    .replace(/\/$/, '')
    .split(/(:[^/]+|\*)/)
    .map((part) =>
      part === '*' ? '.*' : part.startsWith(':') ? '[^/]+' : part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'),
    );
  return new RegExp(`^${source.join('')}/?$`);
}

/** The paths of the API. */
export const API = /^\/api(?:[/?]|$)/;
/**
 * An export or a list of errors answers in its own format. Statistics and the list of users answer in the format that
 * the caller accepts.
 */
const EXPORT = /(?:\/(?:export|stats|errors)|^\/api\/users)\/?(?:\?|$)/;

/**
 * Refuses requests that no route answers: an unknown path or method, and callers who do not accept JSON.
 *
 * @throws DomainError NOT_FOUND, METHOD_NOT_ALLOWED (and `Allow`), NOT_ACCEPTABLE
 */
export function refuseUnknown(request: FastifyRequest, reply: FastifyReply, routes: EndpointTable): void {
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
    throw new DomainError('NOT_ACCEPTABLE', 'The Accept header excludes application/json, the type of the answer');
  }
}
