/** Not done: the same job comes again, after `delayMs`. */
export type Again = { kind: 'again'; delayMs: number };

/**
 * What a handler may give back: nothing, when the job is done, or `{ kind: 'again', delayMs }`. Throwing means that something
 * nobody foresaw went wrong: the job is dropped, and the sweeper brings it again.
 */
export type JobOutcome = Again | undefined;

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
