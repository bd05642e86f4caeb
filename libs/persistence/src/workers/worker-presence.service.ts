import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, type Config, LOGGER, type Logger } from '@postrider/platform';
import type { EventEmitter } from 'node:events';
import type { QueryRunner } from 'typeorm';
import { type Database, DATABASE, releaseSnapshot } from '../database/executor';
import { isUndefinedTable } from '../database/sql-state';
import { WorkersRepository } from './workers.repository';

/** Operators notice transactions that are open for long, so it is renewed after this time. */
const RENEW_EVERY_MS = 10_000;
const TRY_AGAIN_AFTER_MS = 250;

/**
 * Holds this worker's lock for as long as the process lives, on a connection of its own. If the lock is free, the
 * worker is dead, and others take back its pages and jobs. A connection that breaks is replaced at once.
 */
@Injectable()
export class WorkerPresence implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly workerId: string;
  #session: QueryRunner | undefined;
  #isStopped = false;
  #lostAt = -Infinity;
  #running: Promise<void> | undefined;
  #endPause = (): void => undefined;

  constructor(
    private readonly workers: WorkersRepository,
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) { instanceId }: Pick<Config, 'instanceId'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.workerId = instanceId;
  }

  /**
   * When this worker last lost its connection, in the time of `performance.now()`: other workers may have lost theirs
   * then.
   */
  get lostAt(): number {
    return this.#lostAt;
  }

  onApplicationBootstrap(): void {
    this.#running = this.#holdUntilStopped();
  }

  /** Runs after the pages in hand have ended: nothing is left to be taken back. */
  async onApplicationShutdown(): Promise<void> {
    this.#isStopped = true;
    this.#endPause();
    await this.#running;
    await this.workers.remove(this.workerId).catch((error: unknown) => {
      if (!isUndefinedTable(error)) this.logger.warn({ err: error }, 'worker.not-removed');
    });
  }

  async #holdUntilStopped(): Promise<void> {
    while (!this.#isStopped) {
      const isHeld = await this.#hold().catch(async (error: unknown) => {
        this.logger.debug({ err: error }, 'worker.not-present');
        await this.#release();
        return false;
      });
      if (!isHeld) await this.#pause(TRY_AGAIN_AFTER_MS);
    }
    await this.#release();
  }

  /**
   * Takes the lock, or renews it, and keeps it for a while. The row is written under the lock: a row without a lock is a
   * dead worker.
   *
   * @returns false when it could not be taken, or the connection broke
   */
  async #hold(): Promise<boolean> {
    const session = (this.#session ??= await this.#open());
    if (session.isTransactionActive) await this.workers.renew(session, this.workerId);
    else await session.startTransaction();
    const isHeld = await this.workers.tryHold(session.manager, this.workerId);
    if (isHeld) await this.workers.register(this.workerId);
    await releaseSnapshot(session);
    if (isHeld) await this.#pause(RENEW_EVERY_MS);
    return isHeld && this.#session === session;
  }

  async #open(): Promise<QueryRunner> {
    const session = this.database.createQueryRunner();
    const client = (await session.connect()) as EventEmitter;
    client.once('end', () => {
      if (this.#session !== session) return;
      this.#session = undefined;
      this.#lostAt = performance.now();
      this.#endPause();
    });
    return session;
  }

  async #release(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    if (session === undefined || session.isReleased) return;
    if (session.isTransactionActive) await session.rollbackTransaction().catch(() => undefined);
    await session.release().catch(() => undefined);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#isStopped ? 0 : ms).unref();
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
