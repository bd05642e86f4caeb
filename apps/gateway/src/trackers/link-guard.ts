import { LONGEST_LINK } from '@postrider/contracts';

/** Control characters, blanks, backslashes, quotes and brackets: parsers of links disagree about these. */
const AMBIGUOUS_IN_WEB_LINK = /[\u0000-\u0020\u007f-\u00a0\u2028\u2029\ufeff\\"<>^`{|}]/;
const AMBIGUOUS_IN_APP_LINK = /[\u0000-\u0020\u007f-\u00a0\u2028\u2029\ufeff\\"<>`]/;
const LONE_SURROGATE = /\p{Surrogate}/u;
const SCHEME = /^([a-z][a-z0-9+.-]*):(?=[^\s])/i;
/** Browsers, whose schemes open any web page. Refused unless the application registered them. */
const BROWSER_SCHEMES = new Set(
  (
    'googlechrome googlechromes firefox firefox-focus firefox-klar firefox-beta microsoft-edge opera opera-mini opera-gx brave ' +
    'ddgquicklink ddglaunch duckduckgo samsunginternet yandexbrowser yandexbrowser-open-url vivaldi dolphin puffin ucbrowser ' +
    'ucweb maxthon mttbrowser mibrowser onionbrowser icabmobile naverwhale sleipnir'
  ).split(' '),
);
/** `x-safari-https`, `opera-http`, `touch-https`, `microsoft-edge-https`: a web link behind another scheme. */
const WEB_INSIDE = /(?:^|[-+.])https?(?:[-+.]|$)/;
/** Schemes that run or read something on the device, open a browser's own pages, or contain another link. */
const REFUSED_SCHEMES = new Set(
  (
    'javascript data vbscript file about blob filesystem view-source jar content android-app chrome chrome-extension ' +
    'moz-extension safari-extension edge resource res wyciwyg livescript mocha mhtml ws wss ftp ftps http https ' +
    'ms-msdt search-ms ms-settings x-apple-data-detectors'
  ).split(' '),
);

/** Where the path, the query or the fragment of a link begins. */
const BEHIND_HOST = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#\\]+[/?#]/i;
const UNENCODED = { web: /[ "<>^`{|}]/g, app: /[ "<>`]/g };

/**
 * Encodes the characters behind the host that the author of a link left as they are: blanks, quotes, brackets. A `+` in
 * the address of a click is a blank too. What stands before them is not touched, so the link names the same host.
 */
export function encodeBehindHost(link: string): string {
  const before = BEHIND_HOST.exec(link)?.[0] ?? link;
  const unencoded = isWeb(link) ? UNENCODED.web : UNENCODED.app;
  return before + link.slice(before.length).replace(unencoded, encodeCharacter);
}

function encodeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/**
 * A web page that a tracker may lead to: http or https, no user name, and a host in `hosts`. The result is exactly what
 * was checked: the link as browsers read it.
 *
 * @param hosts in the form of `normaliseHost`: `shop.example`, `shop.example:8443`, `*.shop.example`
 * @returns null for every other text
 */
export function webLink(text: string, hosts: readonly string[]): string | null {
  const url = readWebLink(text);
  return url !== null && hosts.some((host) => isWithin(url.host, host)) ? url.href : null;
}

/** True if a link has a scheme of web pages. It need not be one that `readWebLink` accepts. */
export function isWeb(link: string): boolean {
  return /^https?:/i.test(link);
}

/** A web link with any host. */
export function readWebLink(text: string): URL | null {
  if (text.length > LONGEST_LINK || AMBIGUOUS_IN_WEB_LINK.test(text) || !/^https?:\/\/[^/]/i.test(text)) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && !namesUser(text) && !url.hostname.endsWith('.') ? url : null;
}

/** True if a link names a user, also an empty one, which a parser drops. */
function namesUser(text: string): boolean {
  return /^[^/]*\/\/[^/?#]*@/.test(text);
}

/**
 * A link that an app opens: with a scheme of `schemes`, if there are any, else with any scheme except a browser's;
 * never a dangerous one. Returned unchanged, with its percent-encoding and scripts.
 */
export function appLink(text: string, schemes: readonly string[]): string | null {
  const scheme = isUnambiguous(text) ? SCHEME.exec(text)?.[1]?.toLowerCase() : undefined;
  if (scheme === undefined) return null;
  if (scheme === 'intent') return linkInIntent(text, schemes);
  const isAllowed = schemes.length === 0 ? !isBrowser(scheme) : schemes.includes(scheme);
  return isAllowed && !REFUSED_SCHEMES.has(scheme) ? text : null;
}

function isBrowser(scheme: string): boolean {
  return BROWSER_SCHEMES.has(scheme) || WEB_INSIDE.test(scheme);
}

function isUnambiguous(text: string): boolean {
  return text.length <= LONGEST_LINK && !AMBIGUOUS_IN_APP_LINK.test(text) && !LONE_SURROGATE.test(text);
}

/**
 * An Android intent names what to open in its scheme. Everything else in it (a component, extras, a page to fall back
 * to) would bypass the checks, so only the link inside is used.
 */
function linkInIntent(text: string, schemes: readonly string[]): string | null {
  const [, path = '', parameters = ''] = /^intent:([^#]*)#Intent;(.*;)?end;?$/i.exec(text) ?? [];
  const scheme = /(?:^|;)scheme=([a-z][a-z0-9+.-]*);/i.exec(parameters)?.[1];
  return scheme === undefined || /^intent$/i.test(scheme) ? null : appLink(`${scheme}:${path}`, schemes);
}

/** A host in normalised form, or null if the text is not a host. `*.` before it means every host below it. */
export function normaliseHost(text: string): string | null {
  const isBelow = text.startsWith('*.');
  const host = isBelow ? text.slice(2) : text;
  if (host.length > 255 || !/^[^\s/?#@\\:*]+(?::\d{1,5})?$|^\[[0-9a-f:.]+\](?::\d{1,5})?$/i.test(host)) return null;
  const url = URL.canParse(`https://${host}`) ? new URL(`https://${host}`) : null;
  if (url === null || url.hostname.endsWith('.') || url.hostname === '') return null;
  return isBelow ? `*.${url.host}` : url.host;
}

function isWithin(host: string, allowed: string): boolean {
  return allowed.startsWith('*.') ? host.endsWith(allowed.slice(1)) : host === allowed;
}
