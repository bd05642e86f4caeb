import { Injectable } from '@nestjs/common';
import { ErrorCode, type Queue } from 'bullmq';
import { QueuePool } from '../client/queue-pool';
import type { QueueName } from '../jobs';

/** A job that ended, or that another process gave back meanwhile, needs nothing. */
const SETTLED: readonly unknown[] = [
  ErrorCode.JobNotExist,
  ErrorCode.JobLockNotExist,
  ErrorCode.JobLockMismatch,
  ErrorCode.JobNotInState,
];

/** Jobs that a process held when it died. Their locks would keep them for some seconds. */
@Injectable()
export class StrandedJobs {
  constructor(private readonly pool: QueuePool) {}

  /**
   * Gives the jobs that `owner` holds back to `queues`, to be taken next. Only for a dead owner: a living one would
   * learn at the end of each job that the job no longer belongs to it.
   *
   * @returns the number of jobs
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
