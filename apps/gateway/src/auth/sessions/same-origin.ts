import type { FastifyRequest } from 'fastify';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a request cannot have been made by a page of another origin: it only reads, or the browser says that it comes from
 * here. A client that is no browser says nothing, and carries no browser's cookie.
 */
export function isSameOrigin({ method, headers }: FastifyRequest): boolean {
  if (READS.has(method)) return true;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const { origin } = headers;
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === headers.host;
}
