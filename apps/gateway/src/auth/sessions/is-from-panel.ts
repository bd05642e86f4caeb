import type { FastifyRequest } from 'fastify';

/** A header that no other site can make a browser send without asking first, and nobody is allowed to when they ask. */
export const PANEL_HEADER = 'x-postrider-panel';

/** A download is a plain link, which carries no header of ours; it only reads. */
const DOWNLOAD = /^\/(?:apps\/[^/?]+\/)?api\/(?:users|segments)\/[^/?]+\/export\/?(?:\?|$)/;

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
