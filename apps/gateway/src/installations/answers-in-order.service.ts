import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { RegistrationRequest } from '@postrider/contracts';
import type { FastifyRequest } from 'fastify';

/** What is this late does not hold up what came after it any longer. */
const WITHIN_MS = 1_000;
/** Two requests that a browser makes at once may come in the other order: by so much. */
const OVERTAKEN_BY_MS = 200;

/** Whom a page registers as it starts: its guest, or a user who signs in at once; null: anybody at any time. */
export type Registrant = 'guest' | 'user' | null;

/** Whom a new registration is of. */
export function registrantOf({ rest: { isGuest, isLoggedIn } }: Pick<RegistrationRequest, 'rest'>): Registrant {
  if (isGuest === true) return 'guest';
  return isLoggedIn === true ? 'user' : null;
}

/** What a browser has under way. */
class Browser {
  underWay = 0;
  /** Settles when what came until now is answered. */
  answered: Promise<unknown> = Promise.resolve();
  /** Settles when its guest's registration is answered; null: none has come. */
  guestAnswered: Promise<unknown> | null = null;
  /** Resolves when its guest's registration has come. */
  readonly guest: Promise<void>;
  tellGuest!: () => void;

  constructor() {
    this.guest = new Promise((resolve) => (this.tellGuest = resolve));
  }
}

/**
 * Answers the registrations of one browser in the order in which it made them. A page that signs its user in as it starts
 * has two of them under way, its guest's and its user's, and takes for its own what is answered last; the published web
 * client never looks at the other again. Only browsers are made to wait, which name the page's origin (Fetch §3.1).
 */
@Injectable()
export class AnswersInOrder {
  readonly #browsers = new Map<string, Browser>();

  /** Gives what `work` gives, or throws what it throws: not before what this browser asked earlier is answered. */
  async inOrder<T>(appId: string, request: FastifyRequest, registrant: Registrant, work: () => Promise<T>): Promise<T> {
    const { origin, 'user-agent': agent = '' } = request.headers;
    if (origin === undefined) return work();
    const key = JSON.stringify([appId, origin, request.ip, agent]);
    const browser = this.#browsers.get(key) ?? new Browser();
    this.#browsers.set(key, browser);
    browser.underWay++;
    const answer = inTurn(browser, registrant, work());
    browser.answered = Promise.allSettled([browser.answered, answer]).then(() => undefined);
    try {
      return await answer;
    } finally {
      browser.underWay--;
      if (browser.underWay === 0 && this.#browsers.get(key) === browser) this.#browsers.delete(key);
    }
  }
}

/** A page's guest is answered first, and a user who signs in as the page starts after its guest. */
async function inTurn<T>(browser: Browser, registrant: Registrant, work: Promise<T>): Promise<T> {
  if (registrant === 'guest') {
    browser.guestAnswered = Promise.allSettled([work]);
    browser.tellGuest();
    return work;
  }
  // What it comes to is looked at below, however long that takes.
  work.catch(() => undefined);
  const before = browser.answered;
  if (registrant === 'user') await unlessLonger(browser.guest, OVERTAKEN_BY_MS);
  await unlessLonger(Promise.all([before, browser.guestAnswered]), WITHIN_MS);
  // What was waited for is written by then.
  await nextTurn();
  return work;
}

async function unlessLonger(what: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([what, patience]);
  clearTimeout(timer);
}
