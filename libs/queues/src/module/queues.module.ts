import {
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { CONFIG, type Config, HealthRegistry, LOGGER, type Logger, METRICS } from '@postrider/platform';
import type { Registry } from 'prom-client';
import { BullMqJobsClient } from '../client/bullmq-jobs-client';
import { JobLoss, QueuePool } from '../client/queue-pool';
import { JOBS_CLIENT } from '../client/jobs-client';
import { createRedis, type RedisClient, type RedisRole, logOutages } from '../connection/create-redis';
import { Enqueuer } from '../enqueueing/enqueuer.service';
import { HintListener, EdgeHints } from '../hints/edge-hints';
import { ProducerConnection } from '../connection/producer-connection';
import { QUEUE_PREFIX } from '../jobs';
import { QueueInspector } from '../inspector/queue-inspector';
import { registerQueueMetrics } from '../metrics/queue-metrics';
import { StrandedJobs } from '../inspector/stranded-jobs';
import { SharedTokens } from '../shared/shared-tokens';

/** How an app uses the queues. */
export interface QueuesModuleOptions {
  /** Another prefix of every key, for tests. */
  prefix?: string;
  /** How long Redis may take to confirm what it got. Default: a second. */
  patienceMs?: number;
  /** True if the process is unready while Redis is down. Default: false, because accepted work is in the ledger. */
  isRedisCritical?: boolean;
}

const OPTIONS = Symbol('QueuesModuleOptions');

/**
 * Provides the process's `JobsClient`, `Enqueuer` and `QueueInspector` on one connection, and adds queue metrics and a
 * Redis check.
 */
@Global()
@Module({})
export class QueuesModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly pool: QueuePool,
    private readonly inspector: QueueInspector,
    private readonly health: HealthRegistry,
    @Inject(METRICS) private readonly metrics: Registry,
    @Inject(OPTIONS) private readonly options: QueuesModuleOptions,
  ) {}

  static forApp(options: QueuesModuleOptions = {}): DynamicModule {
    return {
      module: QueuesModule,
      providers: [
        { provide: OPTIONS, useValue: options },
        {
          provide: QueuePool,
          inject: [CONFIG, LOGGER],
          useFactory: (config: Config, logger: Logger) =>
            new QueuePool(
              new ProducerConnection(connect(config, logger, 'producer'), options.patienceMs),
              options.prefix ?? QUEUE_PREFIX,
            ),
        },
        SharedTokens,
        EdgeHints,
        {
          provide: HintListener,
          inject: [CONFIG, LOGGER, QueuePool],
          useFactory: (config: Config, logger: Logger, pool: QueuePool) =>
            new HintListener(() => connect(config, logger, 'consumer'), pool),
        },
        Enqueuer,
        JobLoss,
        { provide: JOBS_CLIENT, useClass: BullMqJobsClient },
        StrandedJobs,
        QueueInspector,
      ],
      exports: [JOBS_CLIENT, Enqueuer, JobLoss, QueueInspector, EdgeHints, HintListener, SharedTokens, StrandedJobs],
    };
  }

  onModuleInit(): void {
    registerQueueMetrics(this.metrics, this.inspector);
    const isRedisCritical = this.options.isRedisCritical ?? false;
    this.health.register('redis', () => this.inspector.expectWritable(), { critical: isRedisCritical });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }
}

function connect(config: Config, logger: Logger, role: RedisRole): RedisClient {
  const redis = createRedis(config.redisUrl, role);
  logOutages(redis, logger, role);
  return redis;
}
