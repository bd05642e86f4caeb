import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** What is this late does not hold up what came after it any longer. */
const WITHIN_MS = 1_000;

/**
 * Answers the registrations of one browser in the order in which it made them. A page that signs its user in as it starts
 * has two of them under way, its guest's and its user's, and takes for its own what is answered last; the published web
 * client never looks at the other again. Only browsers are made to wait, which name the page's origin (Fetch §3.1).
 */
@Injectable()
export class AnswersInOrder {
  readonly #last = new Map<string, Promise<void>>();

  /** Gives what `work` gives, or throws what it throws: not before what this browser asked earlier is answered. */
  async inOrder<T>(appId: string, request: FastifyRequest, work: () => Promise<T>): Promise<T> {
    const { origin, 'user-agent': agent = '' } = request.headers;
    if (origin === undefined) return work();
    const browser = JSON.stringify([appId, origin, request.ip, agent]);
    const before = this.#last.get(browser);
    const own = before === undefined ? work() : after(before, work());
    const ended = own.then(nothing, nothing);
    this.#last.set(browser, ended);
    void ended.then(() => {
      if (this.#last.get(browser) === ended) this.#last.delete(browser);
    });
    return own;
  }
}

async function after<T>(before: Promise<void>, work: Promise<T>): Promise<T> {
  // What it comes to is looked at below, however long that takes.
  work.catch(nothing);
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, WITHIN_MS)));
  await Promise.race([before, patience]);
  clearTimeout(timer);
  return work;
}

function nothing(): void {
  return undefined;
}
