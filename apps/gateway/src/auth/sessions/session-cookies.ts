import type { FastifyReply, FastifyRequest } from 'fastify';
import { isOverTls } from '../public-address';

/** Where a browser is signed in: to the panel, or to the operator's pages (queues, API reference). */
type SessionCookie = 'postrider_panel' | 'postrider_operator';

/** The session value that a browser sends. */
export function readSession({ server, headers }: FastifyRequest, name: SessionCookie): string | undefined {
  return headers.cookie === undefined ? undefined : server.parseCookie(headers.cookie)[name];
}

/**
 * Sets a session cookie: unreadable for scripts and other sites, and over TLS only if the request came over TLS. Its
 * path is the whole gateway, because the API has several bases, and the API reference and the metrics are open to the
 * operator too.
 *
 * @param value '' ends it
 */
export function giveSession(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, value, maxAge }: { name: SessionCookie; value: string; maxAge: number },
): FastifyReply {
  const secure = isOverTls(request);
  return reply.setCookie(name, value, { path: '/', maxAge, httpOnly: true, sameSite: 'strict', secure });
}

/** A header that another site cannot make a browser send without a preflight, which is never allowed. */
const PANEL_HEADER = 'x-postrider-panel';

/** The panel's links to files, behind `api/`. */
const DOWNLOADS = [
  /(?:users|segments)\/[^/?]+\/export\/?(?:\?|$)/,
  // The list of users is a file only if the link asks for one.
  /users\/?\?(?:[^#]*&)?format=csv(?:&|$)/,
  /push\/messages\/[^/?]+\/deliveries\/export\/?(?:\?|$)/,
  /promo\/sets\/[^/?]+\/assignments\/export\/?(?:\?|$)/,
  /installations\/import\/[^/?]+\/errors\/?(?:\?|$)/,
  /admin\/apps\/[^/?]+\/archive\/?(?:\?|$)/,
];

/** A download is a plain link, which has no header of ours, and only reads. */
const DOWNLOAD = new RegExp(`^/(?:apps/[^/?]+/)?api/(?:${DOWNLOADS.map(({ source }) => source).join('|')})`);

/**
 * True if the panel's own page made a request, so that its cookie may count: it has our header, and what the browser
 * reports about its origin does not contradict that. For a download, the browser itself has to report the same origin.
 */
export function isFromPanel({ method, headers, originalUrl }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  const { origin } = headers;
  if (origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === headers.host)) return false;
  if (headers[PANEL_HEADER] === '1') return true;
  return method === 'GET' && site === 'same-origin' && DOWNLOAD.test(originalUrl);
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * True if a page of another origin cannot have made a request: the request only reads, or the browser reports this
 * origin. A client that is not a browser reports nothing, and sends no browser's cookie.
 */
export function isSameOrigin({ method, headers }: FastifyRequest): boolean {
  if (READS.has(method)) return true;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const { origin } = headers;
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === headers.host;
}
