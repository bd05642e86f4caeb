import { Inject, Injectable } from '@nestjs/common';
import { nextWindow, resolveSlice, type SliceOutcome } from '@postrider/audience';
import type { Clock } from '@postrider/domain';
import { DATABASE, type Database, type MessageKey, MessagesRepository } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import type { ResolveMessagePayload } from '@postrider/queues';
import { EnqueueResolved } from '../enqueueing/enqueue-resolved.service';
import { ResolveReport, type ResolveProgress } from './resolve-report.service';

/** The most recipients of one step, and the number of installations that the first step reads. */
const SLICE_SIZE = 5_000;

/**
 * A message that begins later than this has no job until then. While a job waits in Redis, recovery cannot add an
 * earlier one, and the message may be moved.
 */
export const EARLY_FOR_MS = 30_000;

/** A message whose row is locked is tried again after this time: recovery holds the lock only briefly. */
const TAKEN_FOR_MS = 50;

/**
 * How it ended: `resolved`; `over`: the message needs no resolving (any more). Or it must go on later: `early`;
 * `taken`, because its row is locked at this moment; `interrupted`, because the process stops.
 */
type ResolveOutcome =
  { kind: 'resolved' } | { kind: 'over' } | { kind: 'early' | 'taken' | 'interrupted'; delayMs: number };

/**
 * Resolves one message step by step. Each step is committed with its progress, and its pages are enqueued after the
 * commit, so that the first devices get their push long before the last one is found. It may be killed, or run twice at
 * the same time, at any moment.
 */
@Injectable()
export class ResolveMessageService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly report: ResolveReport,
    private readonly enqueueResolved: EnqueueResolved,
    private readonly messages: MessagesRepository,
  ) {}

  /**
   * Resolves a message up to the end of its audience.
   *
   * @param signal fires when the process stops: the step under way is the last one then
   */
  async resolve(message: ResolveMessagePayload, signal: AbortSignal): Promise<ResolveOutcome> {
    const startedAt = performance.now();
    const progress: ResolveProgress = { steps: 0, found: 0, reached: 0, pages: 0, lastPages: 0 };
    const outcome = await this.#resolve(message, signal, progress);
    // The worker that ends the pages of the last step completes the message.
    if (outcome.kind === 'resolved' && progress.lastPages === 0) {
      await this.complete([message]);
    }
    this.report.ended(message, outcome.kind, progress, startedAt);
    return outcome;
  }

  /** Completes those of `messages` that have no open page. */
  complete(messages: readonly MessageKey[]): Promise<void> {
    return this.messages.complete(messages, this.clock.now());
  }

  async #resolve(
    message: ResolveMessagePayload,
    signal: AbortSignal,
    progress: ResolveProgress,
  ): Promise<ResolveOutcome> {
    let windowSize = SLICE_SIZE;
    // The first step makes about one page for each vendor, so that sending begins at once.
    let sliceSize = Math.min(this.config.pageSize, SLICE_SIZE);
    while (!signal.aborted) {
      const startedAt = performance.now();
      const step = await this.#step(message, windowSize, sliceSize);
      if (step.kind !== 'resolved') return this.#endOf(step);
      progress.steps += 1;
      progress.found += step.found;
      progress.reached += step.reached;
      progress.pages += step.pages.length;
      progress.lastPages = step.pages.length;
      await this.enqueueResolved.pages(message.appId, [{ ...step, messageId: message.messageId }]);
      this.report.sliceResolved(message, step, startedAt);
      if (step.isFinished) return { kind: 'resolved' };
      windowSize = nextWindow(windowSize, step.found, sliceSize);
      sliceSize = SLICE_SIZE;
    }
    return { kind: 'interrupted', delayMs: 0 };
  }

  #endOf(step: Exclude<SliceOutcome, { kind: 'resolved' }>): ResolveOutcome {
    if (step.kind === 'over') return step;
    if (step.kind === 'taken') return { kind: 'taken', delayMs: TAKEN_FOR_MS };
    const delayMs = Math.max(1, step.startsAt.getTime() - this.clock.now().getTime());
    // Recovery handles it again shortly before its time.
    return delayMs > EARLY_FOR_MS ? { kind: 'over' } : { kind: 'early', delayMs };
  }

  #step(message: ResolveMessagePayload, windowSize: number, sliceSize: number): Promise<SliceOutcome> {
    const { pageSize } = this.config;
    return resolveSlice(this.database, { ...message, now: this.clock.now(), windowSize, sliceSize, pageSize });
  }
}
