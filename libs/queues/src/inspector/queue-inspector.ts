import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { CLOCK } from '@postrider/platform';
import type { Job, Queue } from 'bullmq';
import { QueuePool } from '../client/queue-pool';
import { type QueueName, QUEUES } from '../jobs';
import { BEATS_KEY, READ_BEATS } from '../server/worker-beats';

/** The states that our jobs can be in. */
export const JOB_STATES = ['waiting', 'prioritized', 'active', 'delayed'] as const;

/** How many jobs of a queue are in each state. */
type JobCounts = Record<(typeof JOB_STATES)[number], number>;

/** Reads the queues. Nothing here hangs or changes anything. */
@Injectable()
export class QueueInspector {
  constructor(
    private readonly pool: QueuePool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** BullMQ's queues, for a board that shows them. */
  queues(): Queue[] {
    return QUEUES.map((name) => this.pool.get(name));
  }

  /** @throws QueueUnavailable within a second if Redis is down */
  counts(name: QueueName): Promise<JobCounts> {
    return this.pool.use(name, async (queue) => (await queue.getJobCounts(...JOB_STATES)) as JobCounts);
  }

  /**
   * How long the queue's oldest job has been ready without being taken: the queue's lag. The delay of a job that was put off does
   * not count.
   *
   * @returns milliseconds; 0 if nothing waits
   * @throws QueueUnavailable within a second if Redis is down
   */
  oldestAgeMs(name: QueueName): Promise<number> {
    return this.pool.use(name, async (queue) => {
      const heads = await Promise.all([
        queue.getJobs(['wait'], 0, 0, true),
        queue.getJobs(['prioritized'], 0, 0, true),
      ]);
      // A job can vanish between the list and the read of it.
      const readySince = heads.flat().flatMap((job) => (job ? [readySinceOf(job)] : []));
      return Math.max(0, ...readySince.map((since) => this.clock.now().getTime() - since));
    });
  }

  /**
   * Returns for how many seconds no worker of each queue was heard (`WorkerBeats`: each is heard every five seconds). A
   * queue without workers in the last hour is missing.
   *
   * @throws QueueUnavailable within a second if Redis is down or takes no writes, so that nobody can be heard
   */
  async secondsUnheard(): Promise<ReadonlyMap<string, number>> {
    await this.expectWritable();
    const ages = JSON.parse(await this.pool.run(READ_BEATS, BEATS_KEY, [])) as Record<string, number>;
    return new Map(Object.entries(ages));
  }

  /** @throws QueueUnavailable within a second if Redis is down or takes no writes */
  async expectWritable(): Promise<void> {
    await this.pool.expectWritable();
  }

  /**
   * The `maxmemory-policy` of Redis: what it does when its memory is full. Null if Redis does not say.
   *
   * @throws QueueUnavailable within a second if Redis is down
   */
  evictionPolicy(): Promise<string | null> {
    return this.pool.evictionPolicy();
  }
}

/**
 * Since when a job that waits has been ready. A job that a worker put back counts from when that worker took it. Its delay is read
 * from its options: the queue sets the other one to 0 when the job is due.
 */
function readySinceOf({ timestamp, opts: { delay = 0 }, processedOn = 0 }: Job): number {
  return Math.max(timestamp + delay, processedOn);
}
