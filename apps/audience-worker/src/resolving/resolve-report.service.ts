import { Inject, Injectable } from '@nestjs/common';
import type { DueOutcome, SliceOutcome } from '@postrider/audience';
import { firstSpanOf, LOGGER, type Logger, Traces } from '@postrider/platform';
import type { ResolveMessagePayload } from '@postrider/queues';

/** The progress of one turn at a message. */
export interface ResolveProgress {
  steps: number;
  found: number;
  reached: number;
  pages: number;
  /** Pages that the last step wrote. */
  lastPages: number;
}

/**
 * Reports resolved audiences to the operator: one log line for each turn, and one span for each slice in the message's
 * trace.
 */
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
   * Reports messages that one statement resolved completely, and whose pages are enqueued: one line for all.
   *
   * @param startedAt from `performance.now()`
   */
  batchResolved(appId: string, messages: DueOutcome['resolved'], startedAt: number): void {
    if (messages.length === 0) return;
    const sums = { found: 0, reached: 0, pages: 0 };
    for (const message of messages) {
      sums.found += message.found;
      sums.reached += message.reached;
      sums.pages += message.pages.length;
      this.sliceResolved({ appId, messageId: message.messageId }, { ...message, isFinished: true }, startedAt);
    }
    const durationMs = Math.round(performance.now() - startedAt);
    const messageIds = messages.map(({ messageId }) => messageId);
    const counts = { messages: messages.length, outcome: 'resolved', steps: 1, ...sums };
    this.logger.info({ appId, ...counts, durationMs, messageIds }, 'audience.resolved');
  }

  /** Reports that the statement for several messages failed, and each is tried by itself. */
  takenApart(appId: string, messages: number, error: unknown): void {
    this.logger.error({ err: error, appId, messages }, 'audience.taken-apart');
  }

  /** Reports that one message could not be resolved. Recovery enqueues it again. */
  failed(message: ResolveMessagePayload, error: unknown): void {
    this.logger.error({ ...message, err: error }, 'audience.failed');
  }

  /**
   * Reports a slice that is committed and whose pages are enqueued.
   *
   * @param startedAt from `performance.now()`
   */
  sliceResolved(
    { appId, messageId }: ResolveMessagePayload,
    {
      found,
      reached,
      pages,
      isFinished,
    }: Pick<Extract<SliceOutcome, { kind: 'resolved' }>, 'found' | 'reached' | 'pages' | 'isFinished'>,
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
