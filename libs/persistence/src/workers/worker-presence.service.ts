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
 * Holds this worker's lock for as long as the process lives, in a transaction on a connection of its own. If the lock is free, the
 * worker is dead, and others take back its pages and jobs. A renewal takes the lock on a second connection before the first one gives
 * it up, so the lock of a worker that is slow is free at no moment. A connection that breaks is replaced at once.
 */
@Injectable()
export class WorkerPresence implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly workerId: string;
  #session: Session | undefined;
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
      const isHeld = await this.#renew().catch((error: unknown) => {
        this.logger.debug({ err: error }, 'worker.not-present');
        return false;
      });
      await this.#pause(isHeld ? RENEW_EVERY_MS : TRY_AGAIN_AFTER_MS);
    }
    const session = this.#session;
    this.#session = undefined;
    if (session !== undefined) await giveUp(session);
  }

  /**
   * Takes the lock on another connection, and gives up the former one.
   *
   * @returns false when it could not be taken, or the connection broke
   */
  async #renew(): Promise<boolean> {
    const session = await this.#begin();
    if (session === null) return false;
    const former = this.#session;
    this.#session = session;
    if (former !== undefined) await giveUp(former);
    // With the lock in hand: a row without a lock is that of a dead worker.
    await this.workers.register(this.workerId);
    return this.#session === session;
  }

  /** Begins a transaction that holds the lock. @returns null when it is taken: somebody checks at this moment if this worker is alive */
  async #begin(): Promise<Session | null> {
    const runner = this.database.createQueryRunner();
    try {
      const client = (await runner.connect()) as EventEmitter;
      await runner.startTransaction();
      const isHeld = await this.workers.tryHold(runner.manager, this.workerId);
      await releaseSnapshot(runner);
      if (isHeld) return this.#watch({ runner, client, ended: () => undefined });
    } catch (error) {
      await giveBack(runner);
      throw error;
    }
    await giveBack(runner);
    return null;
  }

  #watch(session: Session): Session {
    session.ended = () => {
      if (this.#session !== session) return;
      this.#session = undefined;
      this.#lostAt = performance.now();
      this.#endPause();
    };
    session.client.once('end', session.ended);
    return session;
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

/** A transaction that holds the lock. */
interface Session {
  runner: QueryRunner;
  client: EventEmitter;
  /** Hears of the end of the connection. */
  ended: () => void;
}

async function giveUp({ runner, client, ended }: Session): Promise<void> {
  client.off('end', ended);
  await giveBack(runner);
}

/** Ends the transaction, and returns the connection to the pool. */
async function giveBack(runner: QueryRunner): Promise<void> {
  if (runner.isReleased) return;
  if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
  await runner.release().catch(() => undefined);
}
