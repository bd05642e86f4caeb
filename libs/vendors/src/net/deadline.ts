/**
 * Calls `onOver` after `ms`. A process that stood still finds its deadlines over before it reads what has arrived meanwhile,
 * because Node.js runs timers before it looks at sockets: an answer that lies there comes first.
 *
 * @returns ends the deadline, before or after it is over; `onOver` is not called then
 */
export function startDeadline(ms: number, onOver: () => void): () => void {
  let afterReading: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => (afterReading = setImmediate(onOver)), ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(afterReading);
  };
}

/** Like `AbortSignal.timeout`, but what has arrived is read before it aborts (`startDeadline`). Call `end` when it is not needed any more. */
export function deadlineSignal(ms: number): { signal: AbortSignal; end: () => void } {
  const over = new AbortController();
  const error = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
  return { signal: over.signal, end: startDeadline(ms, () => over.abort(error)) };
}
