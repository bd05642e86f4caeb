import { hash, randomBytes } from 'node:crypto';

/** The name of the parameter that carries a click's token to an app. */
const PARAMETER = 'click_token';
const TOKEN_BYTES = 16;
/** The placeholder for the token that an owner may write into a tracker's links. */
const PLACE = /\{click_?token\}|%7Bclick_?token%7D/gi;
const PLAY_STORE = /^(?:https:\/\/play\.google\.com\/store\/apps\/details\?|market:\/\/details\?)/i;
/** The Play Store's page of an app, in the form that its own app opens. */
export const PLAY_STORE_APP = /^market:\/\/details\?id=[A-Za-z][\w.]*(?:&[\w=&.%-]*)?$/;
const TOKEN = /^[A-Za-z0-9_-]{22}$/;

/** Random bytes for the next tokens: one call of the generator for many tokens. */
let pool = Buffer.alloc(0);
let used = 0;

/** A new token of a click, which nobody can guess. */
export function newClickToken(): string {
  if (used + TOKEN_BYTES > pool.length) {
    pool = randomBytes(TOKEN_BYTES * 256);
    used = 0;
  }
  used += TOKEN_BYTES;
  return pool.toString('base64url', used - TOKEN_BYTES, used);
}

/** The stored form of a token. */
export function tokenKey(token: string): Buffer {
  return Buffer.from(hash('sha256', token, 'hex').slice(0, 32), 'hex');
}

/**
 * A link with the click's token in it: in place of `{click_token}`, and in the install referrer of the Play Store,
 * which passes it to the app. Apple's store passes nothing on.
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

/** The token inside a Play install referrer (`click_token=…&utm_source=…`, possibly encoded once more), or null. */
export function tokenInReferrer(referrer: string): string | null {
  const text = referrer.includes('=') ? referrer : decoded(referrer);
  return readClickToken(new URLSearchParams(text).get(PARAMETER));
}

/** The token itself, if it has the right form. */
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
