import { Inject, Injectable } from '@nestjs/common';
import type { SliceOutcome } from '@postrider/audience';
import { firstSpanOf, LOGGER, type Logger, Traces } from '@postrider/platform';
import type { ResolveMessagePayload } from '@postrider/queues';

/** What one turn at a message has done so far. */
export interface ResolveProgress {
  steps: number;
  found: number;
  reached: number;
  pages: number;
  /** Of the last step. */
  lastPages: number;
}

/** Tells the operator of audiences that are resolved: one line a turn, and a span a slice in the message's trace. */
@Injectable()
export class ResolveReport {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly traces: Traces,
  ) {}

  /** @param startedAt from `performance.now()` */
  ended(message: ResolveMessagePayload, outcome: string, progress: ResolveProgress, startedAt: number): void {
    const { steps, found, reached, pages } = progress;
    const durationMs = Math.round(performance.now() - startedAt);
    this.logger.info({ ...message, outcome, steps, found, reached, pages, durationMs }, 'audience.resolved');
  }

  /**
   * The slice is committed and its pages are enqueued.
   *
   * @param startedAt from `performance.now()`
   */
  sliceResolved(
    { appId, messageId }: ResolveMessagePayload,
    { found, reached, pages, isFinished }: Extract<SliceOutcome, { kind: 'resolved' }>,
    startedAt: number,
  ): void {
    if (!this.traces.isOn) return;
    this.traces.record({
      name: 'resolve slice',
      place: { within: firstSpanOf(messageId) },
      startedAt,
      facts: { application: appId, message: messageId, found, devices: reached, pages: pages.length, isFinished },
    });
  }
}
