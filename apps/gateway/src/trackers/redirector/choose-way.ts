import { LRUCache } from 'lru-cache';
import { appLink, encodeBehindHost, isWeb, webLink } from '../link-guard';
import type { Visitor } from './read-visitor';
import { withClickToken } from '../click-token';

/** Where a tracker leads on one kind of device if no app opens its link. */
interface PlatformLinks {
  ios?: string;
  android?: string;
  web?: string;
}

/** A tracker with what a click needs, and what its application allows. */
export interface ClickTarget {
  appId: string;
  trackerId: string;
  /** Opened if a click names no other. */
  deepLink: string | null;
  destination: string | null;
  redirect: string | null;
  platforms: PlatformLinks;
  /** Hosts that the parameters of a click may lead to. */
  hosts: readonly string[];
  schemes: readonly string[];
  matchByAddress: boolean;
  deferredLinkMinutes: number;
}

/** How many links in parameters are cached with a tracker. */
const MOST_CHECKED = 50;
/**
 * Where the links in the parameters of a tracker's clicks lead, null for a forbidden one. A campaign has few links, and
 * checking one costs more than the rest of a click. A tracker that was read again is another object, so its links are
 * checked again.
 */
const checkedLinks = new WeakMap<ClickTarget, LRUCache<string, { link: string | null }>>();

/** The parameters of a click. */
export interface ClickQuery {
  deep_link?: unknown;
  redirect?: unknown;
}

/**
 * How a click goes on: straight to a web page; to a page of ours that tries to open the app and goes to `fallback` if
 * it does not open; or nowhere.
 */
export type Way =
  | { kind: 'redirect'; url: string; deepLink: string | null }
  | { kind: 'open'; link: string; fallback: string | null; deepLink: string }
  | { kind: 'nowhere'; deepLink: null };

/**
 * Decides where a click leads: the deep link if the app can open it, else the link's own `redirect`, else the tracker's
 * page for the platform, its `redirect`, its destination. A parameter that leads where the application does not allow
 * counts as absent.
 *
 * @param token identifies the click for an app that is installed after it
 */
export function chooseWay(target: ClickTarget, query: ClickQuery, visitor: Visitor, token: string): Way {
  const deepLink = deepLinkOf(target, query.deep_link);
  const fallback = fallbackOf(target, query.redirect, visitor, token);
  if (deepLink !== null && isWeb(deepLink)) return { kind: 'redirect', url: deepLink, deepLink };
  const opensHere = deepLink !== null && !visitor.isRobot && (visitor.platform !== 'desktop' || fallback === null);
  if (opensHere) return { kind: 'open', link: deepLink, fallback, deepLink };
  return fallback === null ? { kind: 'nowhere', deepLink: null } : { kind: 'redirect', url: fallback, deepLink };
}

function deepLinkOf(target: ClickTarget, asked: unknown): string | null {
  const text = askedLink(asked);
  const own =
    text === null ? null : checkOnce(target, `d ${text}`, () => webOf(target, text) ?? appLink(text, target.schemes));
  return own ?? target.deepLink;
}

function fallbackOf(target: ClickTarget, redirect: unknown, { platform }: Visitor, token: string): string | null {
  const asked = askedLink(redirect);
  const own = asked === null ? null : webOf(target, asked);
  const page = target.platforms[platform === 'desktop' ? 'web' : platform];
  const url = own ?? page ?? target.redirect ?? target.destination;
  return url === null ? null : withClickToken(url, token);
}

function webOf(target: ClickTarget, text: string): string | null {
  return checkOnce(target, `r ${text}`, () => webLink(text, target.hosts));
}

function checkOnce(target: ClickTarget, key: string, check: () => string | null): string | null {
  let checked = checkedLinks.get(target);
  if (checked === undefined) {
    checked = new LRUCache({ max: MOST_CHECKED });
    checkedLinks.set(target, checked);
  }
  const known = checked.get(key);
  if (known !== undefined) return known.link;
  const link = check();
  checked.set(key, { link });
  return link;
}

/** The link in a parameter of a click; of several the first. */
function askedLink(value: unknown): string | null {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' && first !== '' ? encodeBehindHost(first) : null;
}
