import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HealthRegistry } from '@postrider/platform';
import { QueueInspector, QueueUnavailable } from '@postrider/queues';

/** The only policy under which Redis deletes no jobs when its memory is full. */
const KEEPS_ALL = 'noeviction';

/** Notices that Redis may delete jobs: messages would wait until recovery finds them. */
@Injectable()
export class RedisEvictionCheck implements OnModuleInit {
  constructor(
    private readonly health: HealthRegistry,
    private readonly inspector: QueueInspector,
  ) {}

  onModuleInit(): void {
    this.health.register('eviction', () => this.check(), { critical: false });
  }

  /** @throws if Redis may delete jobs. Resolves while Redis is away, which is a finding of its own */
  async check(): Promise<void> {
    const problem = await this.problem();
    if (problem !== null) throw new Error(problem);
  }

  /**
   * Says that Redis may delete jobs and the workers' signs of life, and what to do. Work that waits then looks as if no worker ran.
   *
   * @returns null if Redis keeps all, or does not say, or is away
   */
  async problem(): Promise<string | null> {
    const policy = await this.#policy();
    if (policy === null || policy === KEEPS_ALL) return null;
    const remedy = `set maxmemory-policy to ${KEEPS_ALL} in the settings of Redis`;
    return `Redis deletes jobs when its memory is full (maxmemory-policy is ${policy}): ${remedy}`;
  }

  /** @returns null if it is not known */
  async #policy(): Promise<string | null> {
    try {
      return await this.inspector.evictionPolicy();
    } catch (error) {
      if (error instanceof QueueUnavailable) return null;
      throw error;
    }
  }
}
