import type { Database } from '@postrider/persistence';
import { Secret } from '@postrider/platform';
import { createRedis, type RedisClient } from '@postrider/queues';
import { createDatabaseOfAllDays, testRedisUrl, type ThrowAwayDatabase, uniquePrefix } from '@postrider/testing';
import { startAudienceWorker, type TestAudienceWorker } from './start-audience-worker';

/** A database and queues of one test, and the audience workers that it starts on them. */
export class WorkerStage {
  readonly #workers: TestAudienceWorker[] = [];

  private constructor(
    private readonly throwAway: ThrowAwayDatabase,
    readonly redis: RedisClient,
    readonly prefix: string,
  ) {}

  /** Opens one; `close` it at the end of the test. */
  static async open(): Promise<WorkerStage> {
    const redis = createRedis(new Secret(testRedisUrl()), 'consumer');
    // A worker that starts makes the days that are missing: 72 partitions cost PostgreSQL ten times what their copy does.
    return new WorkerStage(await createDatabaseOfAllDays(10), redis, uniquePrefix());
  }

  get database(): Database {
    return this.throwAway.dataSource;
  }

  /** Starts a worker, which ends with the stage. */
  async start(
    options: Parameters<typeof startAudienceWorker>[2] = {},
    redisUrl = testRedisUrl(),
  ): Promise<TestAudienceWorker> {
    const worker = await startAudienceWorker(this.database, { redisUrl, prefix: this.prefix }, options);
    this.#workers.push(worker);
    return worker;
  }

  /**
   * Does what FLUSHALL would do, to this test's keys: all at once, because otherwise a job could lose its place in a
   * queue and keep its name.
   */
  async wipeRedis(): Promise<void> {
    await this.redis.eval(
      `for _, key in ipairs(redis.call('KEYS', ARGV[1])) do redis.call('DEL', key) end`,
      0,
      `${this.prefix}*`,
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.stop()));
    await this.wipeRedis();
    this.redis.disconnect();
    await this.throwAway.drop();
  }
}
