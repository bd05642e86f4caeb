import type { FastifyReply, FastifyRequest } from 'fastify';

/** Where a browser is signed in: to the panel, or to the pages of the operator (queues, API reference). */
type SessionCookie = 'postrider_panel' | 'postrider_operator';

/** What a browser shows of a session. */
export function readSession({ server, headers }: FastifyRequest, name: SessionCookie): string | undefined {
  return headers.cookie === undefined ? undefined : server.parseCookie(headers.cookie)[name];
}

/**
 * Gives a session to a browser: out of reach for scripts and for other sites; over TLS, for plain HTTP too. Its path is the
 * whole gateway, because the API stands under several bases, and the API reference and the metrics open to the operator too.
 *
 * @param value '' ends it
 */
export function giveSession(
  { protocol, headers }: FastifyRequest,
  reply: FastifyReply,
  { name, value, maxAge }: { name: SessionCookie; value: string; maxAge: number },
): FastifyReply {
  const secure = protocol === 'https' || headers['x-forwarded-proto'] === 'https';
  return reply.setCookie(name, value, { path: '/', maxAge, httpOnly: true, sameSite: 'strict', secure });
}

/** A header that no other site can make a browser send without asking first, and nobody is allowed to when they ask. */
const PANEL_HEADER = 'x-postrider-panel';

/** Where the panel's links to files lead, behind `api/`. */
const DOWNLOADS = [
  /(?:users|segments)\/[^/?]+\/export\/?(?:\?|$)/,
  // The list of users is a file only where the link asks for one.
  /users\/?\?(?:[^#]*&)?format=csv(?:&|$)/,
  /push\/messages\/[^/?]+\/deliveries\/export\/?(?:\?|$)/,
  /promo\/sets\/[^/?]+\/assignments\/export\/?(?:\?|$)/,
  /admin\/apps\/[^/?]+\/archive\/?(?:\?|$)/,
];

/** A download is a plain link, which carries no header of ours; it only reads. */
const DOWNLOAD = new RegExp(`^/(?:apps/[^/?]+/)?api/(?:${DOWNLOADS.map(({ source }) => source).join('|')})`);

/**
 * Whether a request was made by the panel's own page, so that its cookie may count: it has our header, and nothing the
 * browser says of its origin speaks against it. A download has to be called same-origin by the browser itself.
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
