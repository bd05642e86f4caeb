import type { FastifyRequest } from 'fastify';
import type { Config } from '@postrider/platform';
import { type MessageContent, withoutTrailing } from '@postrider/domain';
import type { Rewrite } from '../http/fastify-options';
import { publicAddress } from '../auth/public-address';

/** The path of trackers. Their other addresses are mapped to it. */
export const TRACKER_PATH = '/t';

type Addresses = Pick<Config, 'trackerUrl' | 'publicUrl'>;

/** First parts of the gateway's own paths, on any host. */
const OWN_PATHS = new Set(
  't api apps docs guide metrics queues health panel assets l favicon.ico robots.txt index.html manifest.json'.split(
    ' ',
  ),
);
const TRACKER_ID = /^[0-9][A-Za-z0-9]{11}$/;

/**
 * The base address of tracker links, without a slash at its end: `TRACKER_URL`, else under `PUBLIC_URL` or the
 * request's own address.
 */
export function trackerBase({ trackerUrl, publicUrl }: Addresses, request: FastifyRequest): string {
  if (trackerUrl !== undefined) return withoutTrailing(trackerUrl, '/');
  return publicAddress({ publicUrl }, request) + TRACKER_PATH;
}

/**
 * Maps requests under `TRACKER_URL` to the routes of trackers. On a host for trackers only, every path that is not the
 * gateway's own is a tracker. On a shared host, only a path with the form of a tracker is.
 */
export function trackerRewrite({ trackerUrl, publicUrl }: Addresses): Rewrite {
  if (trackerUrl === undefined) return () => undefined;
  const { host, pathname } = new URL(trackerUrl);
  const base = withoutTrailing(pathname, '/');
  if (base === TRACKER_PATH) return () => undefined;
  const isShared = publicUrl !== undefined && new URL(publicUrl).host === host;
  return ({ url = '/', headers }) => {
    if (headers.host?.toLowerCase() !== host || !url.startsWith(`${base}/`)) return undefined;
    const rest = url.slice(base.length);
    return isTrackerPath(rest, isShared) ? TRACKER_PATH + rest : undefined;
  };
}

function isTrackerPath(url: string, isShared: boolean): boolean {
  const [first = '', second = ''] = url.slice(1).split('?', 1)[0]?.split('/') ?? [];
  if (first === 'l') return second !== '';
  return isShared ? TRACKER_ID.test(first) : first !== '' && !OWN_PATHS.has(first);
}

/**
 * Stores the base address of trackers in messages whose links are tracked, because the workers that send them have no
 * request.
 */
export function nameLinkBase(
  { messages }: { messages: readonly { content: MessageContent }[] },
  config: Pick<Config, 'trackerUrl' | 'publicUrl'>,
  request: FastifyRequest,
): void {
  for (const { content } of messages) if (content.trackLinks === true) content.linkBase = trackerBase(config, request);
}
