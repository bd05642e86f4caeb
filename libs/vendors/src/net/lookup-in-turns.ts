import type { LookupFunction } from 'node:net';

/** Whoever wants to connect has given up by then. */
const TOO_LATE_MS = 10_000;

/** A name that was not resolved, because too many others were before it. */
export class LookupTooLateError extends Error {
  readonly code = 'EAI_AGAIN';

  constructor(hostname: string) {
    super(`${hostname} was not resolved in time: other names took too long`);
    this.name = 'LookupTooLateError';
  }
}

interface Waiting {
  readonly since: number;
  begin(): void;
  giveUp(): void;
}

/**
 * Resolves one name at a time, for names that strangers chose. Node.js resolves two names at a time in a whole process and cannot
 * stop: names whose servers do not answer would keep every other connection waiting, to vendors, Redis and PostgreSQL too.
 *
 * @param now a clock in milliseconds that only goes forward
 */
export function lookupInTurns(look: LookupFunction, now = (): number => performance.now()): LookupFunction {
  const waiting: Waiting[] = [];
  let isBusy = false;
  const next = (): void => {
    while (now() - (waiting[0]?.since ?? Infinity) > TOO_LATE_MS) waiting.shift()?.giveUp();
    if (!isBusy) waiting.shift()?.begin();
  };
  return (hostname, options, callback) => {
    const begin = (): void => {
      isBusy = true;
      look(hostname, options, (...found) => {
        isBusy = false;
        next();
        callback(...found);
      });
    };
    const giveUp = (): void => callback(new LookupTooLateError(hostname), options.all ? [] : '', 0);
    waiting.push({ since: now(), begin, giveUp });
    next();
  };
}
