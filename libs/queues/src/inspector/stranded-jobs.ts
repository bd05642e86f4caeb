import { ErrorCode, type Queue } from 'bullmq';
import type { QueuePool } from '../client/queue-pool';
import type { QueueName } from '../jobs';

/** A job that came to its end, or was given back by somebody else meanwhile, is where it should be. */
const SETTLED: readonly unknown[] = [
  ErrorCode.JobNotExist,
  ErrorCode.JobLockNotExist,
  ErrorCode.JobLockMismatch,
  ErrorCode.JobNotInState,
];

/** Jobs that a process had in hand when it died. Their locks would keep them for some seconds. */
export class StrandedJobs {
  constructor(private readonly pool: QueuePool) {}

  /**
   * Gives the jobs that `owner` has in hand back to `queues`, to be taken next. For an owner that is dead: one that lives would
   * find out at the end of each job that it is no longer its own.
   *
   * @returns how many there were
   * @throws QueueUnavailable, within a second
   */
  async giveBack(owner: string, queues: readonly QueueName[]): Promise<number> {
    const counts = queues.map((name) => this.#giveBackIn(name, owner));
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  async #giveBackIn(name: QueueName, owner: string): Promise<number> {
    const ids = await this.pool.use(name, (queue) => queue.getRanges(['active'], 0, -1));
    const holders = await this.pool.holdersOf(name, ids);
    const given = ids.map(async (id, place) => {
      const token = holders[place];
      return token?.startsWith(`${owner}:`) ? this.pool.use(name, (queue) => giveBack(queue, id, token)) : false;
    });
    return (await Promise.all(given)).filter(Boolean).length;
  }
}

async function giveBack(queue: Queue, id: string, token: string): Promise<boolean> {
  try {
    const job = await queue.getJob(id);
    await job?.moveToWait(token);
    return job !== undefined;
  } catch (error) {
    if (SETTLED.includes((error as { code?: unknown }).code)) return false;
    throw error;
  }
}
