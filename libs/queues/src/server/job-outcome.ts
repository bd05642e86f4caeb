import type { JsonValue } from '@postrider/domain';

/** Not done: the same job comes again, after `delayMs`. */
export type Again = { kind: 'again'; delayMs: number };

/**
 * What a handler may give back: nothing, when the job is done; `{ kind: 'again', delayMs }`; or a value, which is the reply
 * to whoever asked with `send()`. Throwing means that something nobody foresaw went wrong: the job is dropped, and the
 * sweeper brings it again.
 */
export type JobOutcome = Again | JsonValue | undefined;

/** Puts the job back to come again after `delayMs`. */
export function again(delayMs: number): Again {
  return { kind: 'again', delayMs };
}

/** Whether a handler asked for the job to come again. */
export function isAgain(outcome: unknown): outcome is Again {
  return (
    typeof outcome === 'object' &&
    outcome !== null &&
    (outcome as Again).kind === 'again' &&
    typeof (outcome as Again).delayMs === 'number'
  );
}
