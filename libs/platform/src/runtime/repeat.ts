import type { Logger } from '../logging/logger';

/** Knows which errors are an outage of another part, and logs an outage for all turns that it fails together. */
export interface OutageLog {
  /** @returns false if the error is no outage; then nothing is logged */
  logOutage(error: unknown, facts: object): boolean;
}

/** Something done again and again. */
interface RepeatedTurn {
  /** The name in the log. */
  name: string;
  intervalMs: number;
  /** @returns true if there is more to do at once; null if nothing was tried, because another process does it */
  turn(): Promise<boolean | null>;
  signal: AbortSignal;
  logger: Logger;
  /** Takes the place of the pause, except after a failure. Resolves when the next turn is due, or when `signal` fires. */
  untilDue?: (() => Promise<void>) | undefined;
  /** Left out: no error is an outage. */
  outage?: OutageLog | undefined;
}

/**
 * Takes turns until `signal` fires, one at a time, with a pause between two; without a pause as long as there is more
 * to do. A turn that fails is repeated after the pause; of several failures in a row only the first is logged.
 * A turn that tried nothing is neither a failure nor a success.
 * An outage is no failure of the turn: `outage` logs it.
 */
export async function repeat(work: RepeatedTurn): Promise<void> {
  const { name, intervalMs, turn, signal, logger, outage } = work;
  const pauseOnce = (): Promise<void> => pause(intervalMs, signal);
  let isFailing = false;
  while (!signal.aborted) {
    let hasMore: boolean | null = false;
    let rest = work.untilDue ?? pauseOnce;
    try {
      hasMore = await turn();
      if (isFailing && hasMore !== null) {
        logger.info({ name }, 'turn.recovered');
        isFailing = false;
      }
    } catch (error) {
      rest = pauseOnce;
      if (outage?.logOutage(error, { name }) !== true) {
        if (!isFailing) logger.error({ name, err: error }, 'turn.failed');
        isFailing = true;
      }
    }
    if (hasMore !== true) await rest();
  }
}

/** Resolves after `ms`, or when `signal` fires. With the timers of the global object, which tests replace. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
