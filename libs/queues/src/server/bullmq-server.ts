import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import type { WorkerServices } from '@postrider/platform';
import type { Job as BullJob } from 'bullmq';
import { lastValueFrom } from 'rxjs';
import { createRedis, type RedisClient, logOutages } from '../connection/create-redis';
import { QUEUE_PREFIX, JOBS, type QueueName, routeOf } from '../jobs';
import { JobMetrics } from './job-metrics';
import { JobContext } from './handle-job';
import { JobRunner } from './job-runner';
import { type FoundHandler, type PlannedWorker, planWorkers } from './plan-workers';
import { QueueWorker } from './queue-worker';
import { WorkerBeats } from './worker-beats';

/** The options of the transport: the process's services (from `startWorker`) and its queues. */
export interface BullMqServerOptions extends Omit<WorkerServices, 'config' | 'health'> {
  config: Pick<WorkerServices['config'], 'redisUrl' | 'instanceId'>;
  /** It takes jobs as soon as the process can do them. Left out: at once. */
  health?: WorkerServices['health'];
  /** The queues that this process works on: every job of theirs must have a handler. Default: those with a handler. */
  owns?: readonly QueueName[];
  /** Queues for which it has handlers and which it leaves to other processes of its app. */
  leaves?: readonly string[];
  /** Jobs at once, for every queue or by queue; default: the value of `@HandleJob`, else 1. */
  concurrency?: number | Partial<Record<QueueName, number>>;
  /**
   * True if the error of a handler is temporary (PostgreSQL restarts): then the job comes again, and is not dropped.
   * Left out: no error is.
   */
  isTemporary?: (error: unknown) => boolean;
  /** Another prefix of every key, for tests. */
  prefix?: string;
  /** How long running jobs may go on after the process was told to stop. */
  graceMs?: number;
}

const GRACE_MS = 15_000;

/**
 * BullMQ as a Nest transport: one worker a queue; a job goes through pipes, guards, interceptors and filters like any RPC
 * message. A job runs at least once and its queue tries it once: a handler that throws is logged, the job is dropped, and
 * recovery brings it again from the ledger, unless the error is temporary (`isTemporary`).
 *
 * A worker's whole `main.ts`:
 *
 * ```ts
 * void startWorker({
 *   app: 'delivery-worker',
 *   module: (config) => AppModule.forConfig(config), // imports PlatformModule.forApp(…), QueuesModule.forApp(), …
 *   strategy: (services) =>
 *     new BullMqServer({ ...services, owns: ['delivery.fcm', 'delivery.apns'], concurrency: { 'delivery.fcm': 4 } }),
 * });
 * ```
 *
 * and a processor, listed under the module's `controllers`:
 *
 * ```ts
 * @Controller()
 * export class AttemptPageProcessor {
 *   constructor(private readonly pages: AttemptPageService) {}
 *
 *   @HandleJob([attemptPage.fcm, attemptPage.apns])
 *   async attempt(payload: AttemptPagePayload, context: JobContext): Promise<JobOutcome> {
 *     const outcome = await this.pages.attempt(payload, context.signal);
 *     if (outcome.kind === 'held') return again(outcome.delayMs);
 *   }
 * }
 * ```
 */
export class BullMqServer extends Server implements CustomTransportStrategy {
  /** We log failures with the job's id. Nest must not log them too. */
  override readonly propagatesEventHandlerErrors = true;
  readonly #found: FoundHandler[] = [];
  readonly #runner: JobRunner;
  #redis: RedisClient | undefined;
  #workers: QueueWorker[] = [];
  #beats: WorkerBeats | undefined;

  constructor(private readonly options: BullMqServerOptions) {
    super();
    this.#runner = new JobRunner(new JobMetrics(options.metrics), options.logger, options.isTemporary);
  }

  override addHandler(route: unknown, handler: MessageHandler, isEvent?: boolean, extras: object = {}): void {
    super.addHandler(route, handler, isEvent, { ...extras });
    this.#found.push({ route: this.normalizePattern(route as string), ...extras });
  }

  /**
   * Starts the workers as soon as the process can work: on a schema that is older than it needs, every job would fail that a
   * process of the version before can do. If Redis is down, they begin when it comes up.
   *
   * @throws through `callback` if `planWorkers` does
   */
  override listen(callback: (error?: unknown) => void): void {
    try {
      const plan = planWorkers(this.#found, JOBS, this.options);
      const { health } = this.options;
      if (health === undefined) this.#begin(plan);
      else void health.untilAbleToWork().then((isAble) => isAble && this.#begin(plan));
      callback();
    } catch (error) {
      callback(error);
    }
  }

  #begin(plan: readonly PlannedWorker[]): void {
    const { config, logger, prefix = QUEUE_PREFIX } = this.options;
    const redis = createRedis(config.redisUrl, 'consumer');
    logOutages(redis, logger, 'worker');
    this.#redis = redis;
    const work = (job: BullJob, token: string): Promise<unknown> => this.#work(job, token);
    this.#workers = plan.map(
      (planned) => new QueueWorker({ ...planned, prefix, redis, logger, owner: config.instanceId, work }),
    );
    const queues = plan.map(({ queue }) => queue);
    this.#beats = new WorkerBeats(redis, { prefix, instanceId: config.instanceId, queues });
    logger.info({ queues: plan }, 'queues.listening');
  }

  /** Takes no more jobs, waits for running ones, gives back the rest, and disconnects. */
  override async close(): Promise<void> {
    const graceMs = this.options.graceMs ?? GRACE_MS;
    this.#beats?.stop();
    await Promise.all(this.#workers.map((worker) => worker.close(graceMs)));
    this.#workers = [];
    this.#redis?.disconnect();
  }

  override on(): never {
    throw new Error('The queue transport has no events of its own');
  }

  override unwrap<T>(): T {
    return this.#workers as T;
  }

  #work(job: BullJob, token: string): Promise<unknown> {
    const context = new JobContext({
      queue: job.queueName,
      name: job.name,
      signal: this.options.shutdown.signal,
    });
    return this.#runner.run(job, token, () => this.#handle(job.data, context));
  }

  /** Uses Nest's hooks around a message, so that instrumentation of other transports works here too. */
  #handle(payload: unknown, context: JobContext): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.runWithProcessingHooks(context, async (end) => {
        await this.#callHandler(payload, context).then(resolve, reject).finally(end);
      });
    });
  }

  async #callHandler(payload: unknown, context: JobContext): Promise<unknown> {
    const handler = this.getHandlerByPattern(routeOf(context));
    if (!handler) throw new Error(`No handler for "${routeOf(context)}"`);
    return lastValueFrom(this.transformToObservable(await handler(payload, context)), { defaultValue: undefined });
  }
}
