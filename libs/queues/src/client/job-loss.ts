import { QueueUnavailable } from '../connection/queue-unavailable';
import type { QueuePool } from './queue-pool';

/** Finds out that Redis lost its jobs: it was wiped, started again, or another server stands in for it. */
export class JobLoss {
  constructor(private readonly pool: QueuePool) {}

  /**
   * Does `recover` when jobs may be lost, and notes that it is done. A process that dies in between leaves it to the next.
   *
   * @returns whether it was done; false also while Redis is away
   */
  async recover(recover: () => Promise<void>): Promise<boolean> {
    try {
      const run = await this.pool.unknownRun();
      if (run === null) return false;
      await recover();
      await this.pool.noteRun(run);
      return true;
    } catch (error) {
      if (error instanceof QueueUnavailable) return false;
      throw error;
    }
  }
}
