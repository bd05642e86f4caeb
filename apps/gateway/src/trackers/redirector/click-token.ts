import { hash, randomBytes } from 'node:crypto';

/** The name under which a click's token travels to an app. */
const PARAMETER = 'click_token';
const TOKEN_BYTES = 16;
/** What an owner may write into a tracker's links for the token to stand there. */
const PLACE = /\{click_?token\}|%7Bclick_?token%7D/gi;
const PLAY_STORE = /^(?:https:\/\/play\.google\.com\/store\/apps\/details\?|market:\/\/details\?)/i;
/** The Play Store's page of an app, as its own app opens it. */
export const PLAY_STORE_APP = /^market:\/\/details\?id=[A-Za-z][\w.]*(?:&[\w=&.%-]*)?$/;
const TOKEN = /^[A-Za-z0-9_-]{22}$/;

/** Random bytes for the next tokens: one call of the generator for many. */
let pool = Buffer.alloc(0);
let used = 0;

/** A new token of a click: nobody can guess it. */
export function newClickToken(): string {
  if (used + TOKEN_BYTES > pool.length) {
    pool = randomBytes(TOKEN_BYTES * 256);
    used = 0;
  }
  used += TOKEN_BYTES;
  return pool.toString('base64url', used - TOKEN_BYTES, used);
}

/** What is stored of a token. */
export function tokenKey(token: string): Buffer {
  return Buffer.from(hash('sha256', token, 'hex').slice(0, 32), 'hex');
}

/**
 * A link with the click's token in it: in place of `{click_token}`, and in the install referrer of the Play Store, which
 * hands it to the app. Apple's store hands nothing over.
 */
export function withClickToken(url: string, token: string): string {
  const placed = url.includes('lick') ? url.replace(PLACE, token) : url;
  if (!PLAY_STORE.test(placed)) return placed;
  const [before = '', fragment] = placed.split('#', 2);
  const [path = '', query = ''] = before.split('?', 2);
  const parameters = new URLSearchParams(query);
  const referrer = parameters.get('referrer');
  parameters.set('referrer', `${referrer ? `${referrer}&` : ''}${PARAMETER}=${token}`);
  return `${path}?${parameters.toString()}${fragment === undefined ? '' : `#${fragment}`}`;
}

/** The token inside a Play install referrer (`click_token=…&utm_source=…`, maybe encoded once more), or null. */
export function tokenInReferrer(referrer: string): string | null {
  const text = referrer.includes('=') ? referrer : decoded(referrer);
  return readClickToken(new URLSearchParams(text).get(PARAMETER));
}

/** The token itself when it has the form of one. */
export function readClickToken(text: string | null): string | null {
  return text !== null && TOKEN.test(text) ? text : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
