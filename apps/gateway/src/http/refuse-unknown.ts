import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { DomainError } from '@postrider/domain';
import { changesOnGet, isChangedByGet } from '../auth/endpoint-access.decorator';
import { acceptsJson } from './accepts-json';

/**
 * The methods of each path, so that a known path with the wrong method differs from an unknown path. Filled while
 * routes are added; used if nothing matched, or if a route with parameters did.
 */
export class EndpointTable {
  readonly #methods = new Map<string, Set<string>>();
  #patterns: { pattern: RegExp; methods: Set<string> }[] | undefined;

  /** Adds a route. Call it while routes are added. */
  add({ url, method, config }: Pick<RouteOptions, 'url' | 'method' | 'config'>): void {
    const methods = this.#methods.get(url) ?? new Set();
    // Fastify adds HEAD to every GET, also if it is refused.
    for (const name of [method].flat()) if (name !== 'HEAD' || !isChangedByGet(config)) methods.add(name);
    this.#methods.set(url, methods);
    this.#patterns = undefined;
  }

  /**
   * Returns the methods of a path that equals a route's URL exactly, in alphabetical order; null if there is no such
   * route.
   */
  ownMethodsOf(path: string): string[] | null {
    const methods = this.#methods.get(path.replace(/(?<=.)\/$/, ''));
    return methods === undefined ? null : [...methods].sort();
  }

  /** Returns the methods of a path in alphabetical order; none if the path is unknown. */
  methodsOf(path: string): string[] {
    const own = this.ownMethodsOf(path);
    if (own !== null) return own;
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
/** The path of a client that was given the address of the API in place of the gateway's. */
const API_TWICE = /^\/api\/api(?:\/|$)/;
/**
 * An export or a list of errors answers in its own format. Statistics and the list of users answer in the format that
 * the caller accepts.
 */
const EXPORT = /(?:\/(?:export|stats|errors)|^\/api\/users)\/?(?:\?|$)/;

const TWICE = ': /api is in it twice. A client takes the address of the gateway without /api';

/**
 * Refuses requests that no route answers: an unknown path or method, and callers who do not accept JSON.
 *
 * @throws DomainError NOT_FOUND, METHOD_NOT_ALLOWED (and `Allow`), NOT_ACCEPTABLE
 */
export function refuseUnknown(request: FastifyRequest, reply: FastifyReply, routes: EndpointTable): void {
  refuseMethod(request, reply, routes);
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

/** @throws DomainError NOT_FOUND, METHOD_NOT_ALLOWED */
function refuseMethod(request: FastifyRequest, reply: FastifyReply, routes: EndpointTable): void {
  const path = request.url.split('?')[0] ?? '';
  const allowed = request.is404 ? routes.methodsOf(path) : otherMethodsOf(path, request, routes);
  if (allowed === null) return;
  if (allowed.length === 0)
    throw new DomainError('NOT_FOUND', `There is no such path${API_TWICE.test(path) ? TWICE : ''}`);
  void reply.header('allow', allowed.join(', '));
  throw new DomainError('METHOD_NOT_ALLOWED', `The methods of this path are ${allowed.join(', ')}`);
}

/**
 * `GET installations/addTags` does not mean an installation with the id `addTags`. A path such as
 * `installations/tags/:userId`, with a user called `:userId`, equals the URL of its own route.
 * @returns null if the route is the right one
 */
function otherMethodsOf(path: string, request: FastifyRequest, routes: EndpointTable): string[] | null {
  const own = request.routeOptions.url?.includes(':') === true ? routes.ownMethodsOf(path) : null;
  return own?.includes(request.method) === true ? null : own;
}
