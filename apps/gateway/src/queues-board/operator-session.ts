import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '@postrider/platform';

/** How long a sign-in lasts. */
export const SESSION_SECONDS = 12 * 3_600;

const FORM = /^(\d{1,15})\.([A-Za-z0-9_-]{43})$/;

/**
 * Makes and checks what a signed-in browser shows: an end time under an HMAC of the operator's token. Nothing is stored; a
 * new `ADMIN_TOKEN` ends every session.
 */
export class OperatorSession {
  readonly #key: Buffer;

  constructor(adminToken: Secret) {
    this.#key = createHmac('sha256', adminToken.reveal()).update('postrider/operator-session/1').digest();
  }

  /** A cookie's value that holds until `SESSION_SECONDS` after `now`. */
  open(now: Date): string {
    const until = String(now.getTime() + SESSION_SECONDS * 1_000);
    return `${until}.${this.#sign(until).toString('base64url')}`;
  }

  /** Whether `cookie` came from `open` and still holds. Takes the same time for every signature. */
  isOpen(cookie: string | undefined, now: Date): boolean {
    const [, until = '', signature = ''] = FORM.exec(cookie ?? '') ?? [];
    const shown = Buffer.from(signature, 'base64url');
    const expected = this.#sign(until);
    if (shown.length !== expected.length || !timingSafeEqual(shown, expected)) return false;
    return Number(until) > now.getTime();
  }

  #sign(until: string): Buffer {
    return createHmac('sha256', this.#key).update(until).digest();
  }
}
