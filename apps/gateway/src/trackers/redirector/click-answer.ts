import type { ClickTarget, Way } from './choose-way';
import { newClickToken } from './click-token';
import type { Visitor } from './read-visitor';
import { NOT_FOUND_PAGE, openingPage } from './tracker-page';

const PACKAGE = /[?&]id=([A-Za-z][\w]*(?:\.[A-Za-z][\w]*)+)/;

/**
 * An app link as Chrome on Android opens it, with the page to go to when no app takes it. A link with a fragment of its own
 * stays as it is: an intent has no place for it.
 *
 * @param store the platform's page; of the Play Store, the app that is meant
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

/** Stands for the click's token in what is prepared: as nobody can guess it, it stands nowhere else. */
export const TOKEN_PLACE = newClickToken();

/** A header takes ASCII alone. */
const FIT_FOR_HEADER = /^[\x21-\x7e]+$/;

/** An answer to clicks, prepared once for all of a kind: only the token is another in each. */
export interface ClickAnswer {
  status: 200 | 302 | 404;
  /** The address of a redirect, or the page, in parts between which the click token goes. */
  parts: readonly string[];
  /** What waits for an app that is installed after the click. */
  deepLink: string | null;
}

const NOWHERE: ClickAnswer = { status: 404, parts: [NOT_FOUND_PAGE], deepLink: null };

/** Prepares the answer for the clicks of one kind of visitor. @param way chosen with `TOKEN_PLACE` for a token */
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

/** The place or page of an answer, for one click. */
export function fillIn({ parts }: ClickAnswer, token: string): string {
  return parts.length === 1 ? (parts[0] ?? '') : parts.join(token);
}
