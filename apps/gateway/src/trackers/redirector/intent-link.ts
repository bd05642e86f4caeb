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
