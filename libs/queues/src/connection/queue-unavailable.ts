/**
 * Redis did not take (or answer for) a job in time. The ledger is not touched by it: a caller that has committed logs this
 * and goes on, the sweeper enqueues again.
 */
export class QueueUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'QueueUnavailable';
  }
}
