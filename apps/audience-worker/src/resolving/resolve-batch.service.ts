import { Inject, Injectable } from '@nestjs/common';
import { type DueOutcome, resolveDue } from '@postrider/audience';
import type { Clock } from '@postrider/domain';
import { DATABASE, type Database, isDatabaseUnavailable } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import { EnqueueResolved } from '../enqueueing/enqueue-resolved.service';
import { EARLY_FOR_MS, ResolveMessageService } from './resolve-message.service';
import { ResolveReport } from './resolve-report.service';

/** Messages whose rows are locked are tried again after this time. */
const TAKEN_FOR_MS = 50;

/** Messages whose times are closer together than this are resolved in the same turn. */
const TURN_MS = 100;

/**
 * Resolves many scheduled messages to few users each in one statement, as their times come, and enqueues their pages in
 * one step. Messages that cannot be resolved in a batch, or fail, are resolved one by one (`ResolveMessageService`). It
 * may be killed, or run twice at the same time, at any moment.
 */
@Injectable()
export class ResolveBatch {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly report: ResolveReport,
    private readonly enqueueResolved: EnqueueResolved,
    private readonly messages: ResolveMessageService,
  ) {}

  /**
   * Takes one turn at those messages that are due.
   *
   * @returns after how many milliseconds the next turn is due; null: there is nothing left to do
   */
  async resolve(appId: string, messageIds: readonly string[], signal: AbortSignal): Promise<number | null> {
    const startedAt = performance.now();
    const outcome = await this.#resolveDue(appId, messageIds);
    await this.#finish(appId, outcome, startedAt);
    await this.#resolveAlone(appId, outcome.alone, signal);
    if (outcome.isTaken) return TAKEN_FOR_MS;
    if (outcome.nextAt === null) return null;
    const delayMs = outcome.nextAt.getTime() - this.clock.now().getTime();
    return delayMs > EARLY_FOR_MS ? null : Math.max(TURN_MS, delayMs);
  }

  /** One message that cannot be resolved must not stop the others: if the batch fails, each is tried by itself. */
  async #resolveDue(appId: string, messageIds: readonly string[]): Promise<DueOutcome> {
    const { pageSize } = this.config;
    try {
      return await resolveDue(this.database, { appId, messageIds, now: this.clock.now(), pageSize });
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      this.report.takenApart(appId, messageIds.length, error);
      return { resolved: [], alone: [...messageIds], nextAt: null, isTaken: false };
    }
  }

  async #finish(appId: string, { resolved }: DueOutcome, startedAt: number): Promise<void> {
    await this.enqueueResolved.pages(appId, resolved);
    // The others are completed by the worker that ends their pages.
    const over = resolved.filter((message) => message.pages.length === 0);
    if (over.length > 0) {
      await this.messages.complete(over.map(({ messageId }) => ({ appId, messageId })));
    }
    this.report.batchResolved(appId, resolved, startedAt);
  }

  /** Each gets a job of its own, so that they run side by side. Without Redis they run one after the other. */
  async #resolveAlone(appId: string, messageIds: readonly string[], signal: AbortSignal): Promise<void> {
    if (await this.enqueueResolved.messages(appId, messageIds)) return;
    for (const messageId of messageIds) await this.#resolveOne({ appId, messageId }, signal);
  }

  async #resolveOne(message: { appId: string; messageId: string }, signal: AbortSignal): Promise<void> {
    try {
      await this.messages.resolve(message, signal);
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error;
      this.report.failed(message, error);
    }
  }
}
