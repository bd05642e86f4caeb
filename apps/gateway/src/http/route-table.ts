import type { RouteOptions } from 'fastify';

/**
 * Which methods each path knows, so that a known path under the wrong method is told apart from an unknown path. Filled as
 * routes are added; asked only when nothing matched.
 */
export class RouteTable {
  readonly #methods = new Map<string, Set<string>>();
  #patterns: { pattern: RegExp; methods: Set<string> }[] | undefined;

  add({ url, method }: Pick<RouteOptions, 'url' | 'method'>): void {
    const methods = this.#methods.get(url) ?? new Set();
    for (const name of [method].flat()) methods.add(name);
    this.#methods.set(url, methods);
    this.#patterns = undefined;
  }

  /** The methods that a path knows, in alphabetical order; none when the path is unknown. */
  methodsOf(path: string): string[] {
    this.#patterns ??= [...this.#methods].map(([url, methods]) => ({ pattern: patternOf(url), methods }));
    const found = new Set<string>();
    for (const { pattern, methods } of this.#patterns) {
      if (pattern.test(path)) for (const method of methods) found.add(method);
    }
    return [...found].sort();
  }
}

/** A route's URL (`/a/:id/b`, `/docs/*`) as an expression; a trailing slash makes no difference. */
function patternOf(url: string): RegExp {
  const source = url
    .replace(/\/$/, '')
    .split(/(:[^/]+|\*)/)
    .map((part) =>
      part === '*' ? '.*' : part.startsWith(':') ? '[^/]+' : part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'),
    );
  return new RegExp(`^${source.join('')}/?$`);
}
