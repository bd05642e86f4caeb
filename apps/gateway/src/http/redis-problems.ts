import { Injectable } from '@nestjs/common';
import { QueueInspector, QueueUnavailable } from '@postrider/queues';
import { RedisEvictionCheck } from './redis-eviction.check';

/** Says what is wrong with Redis, so that nobody looks for the reason of waiting work at the workers. */
@Injectable()
export class RedisProblems {
  constructor(
    private readonly inspector: QueueInspector,
    private readonly eviction: RedisEvictionCheck,
  ) {}

  /** Returns why jobs reach no worker, or may be missing, and what to do; null if Redis takes them and keeps them. */
  async find(): Promise<string | null> {
    try {
      await this.inspector.expectWritable();
    } catch (error) {
      if (!(error instanceof QueueUnavailable)) throw error;
      return `Redis takes no jobs (${error.message}): start it, or make it take writes`;
    }
    return this.eviction.problem();
  }
}
