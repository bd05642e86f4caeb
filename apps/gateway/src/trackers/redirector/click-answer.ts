import type { ClickTarget, Way } from './choose-way';
import { newClickToken } from '../click-token';
import type { Visitor } from './read-visitor';
import { NOT_FOUND_PAGE, openingPage } from './tracker-page';

const PACKAGE = /[?&]id=([A-Za-z][\w]*(?:\.[A-Za-z][\w]*)+)/;

/**
 * An app link in the form that Chrome on Android opens, with the page to go to if no app opens it. A link with a
 * fragment of its own does not change, because an intent has no place for it.
 *
 * @param store the platform's page; for the Play Store, the app
 */
export function intentLink(link: string, fallback: string | null, store: string | undefined): string {
  if (link.includes('#')) return link;
  const colon = link.indexOf(':');
  const app = store === undefined ? undefined : PACKAGE.exec(store)?.[1];
  const parts = [
    `scheme=${link.slice(0, colon)}`,
    ...(app === undefined ? [] : [`package=${app}`]),
    ...(fallback?.startsWith('http') !== true ? [] : [`S.browser_fallback_url=${encodeURIComponent(fallback)}`]),
  ];
  return `intent:${link.slice(colon + 1)}#Intent;${parts.join(';')};end`;
}

/** A placeholder for the click's token in prepared answers. Nobody can guess it, so it occurs nowhere else. */
export const TOKEN_PLACE = newClickToken();

/** A header contains ASCII only. */
const FIT_FOR_HEADER = /^[\x21-\x7e]+$/;

/** A prepared answer for all clicks of a kind. Only the token differs. */
export interface ClickAnswer {
  status: 200 | 302 | 404;
  /** The address of a redirect, or the page, in parts; the click token goes between them. */
  parts: readonly string[];
  /** The deep link for an app that is installed after the click. */
  deepLink: string | null;
}

const NOWHERE: ClickAnswer = { status: 404, parts: [NOT_FOUND_PAGE], deepLink: null };

/** Prepares the answer for the clicks of one kind of visitor. @param way chosen with `TOKEN_PLACE` as the token */
export function prepareAnswer(way: Way, visitor: Visitor, target: ClickTarget): ClickAnswer {
  if (way.kind === 'nowhere') return NOWHERE;
  const { deepLink } = way;
  if (way.kind === 'redirect') {
    return FIT_FOR_HEADER.test(way.url) ? { status: 302, parts: way.url.split(TOKEN_PLACE), deepLink } : NOWHERE;
  }
  const link = visitor.takesIntents ? intentLink(way.link, way.fallback, target.platforms.android) : way.link;
  const page = openingPage({ link, shown: way.link, fallback: way.fallback });
  return { status: 200, parts: page.split(TOKEN_PLACE), deepLink };
}

/** The address or page of an answer, for one click. */
export function fillIn({ parts }: ClickAnswer, token: string): string {
  return parts.length === 1 ? (parts[0] ?? '') : parts.join(token);
}
