import { Inject, Injectable } from '@nestjs/common';
import type { Clock, DeliveryState } from '@postrider/domain';
import type { Settlement, Remainder } from '@postrider/persistence';
import { CLOCK, newId } from '@postrider/platform';
import { MessageDoneMarker } from './message-done-marker';
import { TokenHygiene } from '../../tokens/token-hygiene';
import { DeliveryRecorder } from '../record/delivery-recorder';
import { PageTelemetry } from './page-telemetry';
import { AFTER_DUE_MS, type PageEnd, type PageRun, type StopCause } from '../run/page-run';
import { planRetryPages, RetryEnqueuer } from './retry-pages';

/** The delivery state and reason of each ending of a message. */
const ENDINGS: Partial<Record<StopCause, { state: DeliveryState; reason: string }>> = {
  cancelled: { state: 'cancelled', reason: 'The message was cancelled before it was sent to this device' },
  expired: { state: 'expired', reason: 'The message expired before it could be sent to this device' },
};

/**
 * Returns what to write for a run that ended: the outcomes that are not flushed yet; if the message was cancelled or
 * has expired, the same ending for every device that is left, also for those that wait for a retry; if the run was held
 * or interrupted, the rest of its page.
 */
export function composeSettlement(run: PageRun, now: Date, newId: () => string): Settlement {
  const ending = run.stopCause === null ? undefined : ENDINGS[run.stopCause];
  if (ending !== undefined) run.endUnfinished(ending, now.getTime());
  else keepForConnections(run, now);
  return {
    recorded: run.takeOutcomes(),
    retries: ending === undefined ? planRetryPages(run.retries, now, newId) : [],
    remainder: ending === undefined ? remainderOf(run, now) : null,
    now,
    lastCallAt: new Date(run.lastCallAt),
  };
}

/** Devices on the connection that still wait for their vendor get a delivery row: they also get the message there. */
function keepForConnections(run: PageRun, now: Date): void {
  if (run.stopCause === 'stopping') return;
  const connected = new Set(run.key.connectionDeviceIds ?? []);
  const waiting = run.unfinished().concat(run.retries.map(({ deviceId }) => deviceId));
  run.recordPending(
    waiting.filter((deviceId) => connected.has(deviceId)),
    now.getTime(),
  );
}

function remainderOf(run: PageRun, now: Date): Remainder | null {
  const deviceIds = run.unfinished();
  if (deviceIds.length === 0) return null;
  if (run.stopCause === 'stopping') return { deviceIds, notBefore: null, forgetsFirstAttempt: false };
  return { deviceIds, notBefore: run.route.resumesAt(now), forgetsFirstAttempt: true };
}

/**
 * Ends a run: writes its last outcomes and the rest of the page in one statement, then notes its dead tokens
 * (`SwitchOffDeadTokens` decides about them later), enqueues its retries, and logs one line.
 */
@Injectable()
export class CompletePageService {
  constructor(
    private readonly recorder: DeliveryRecorder,
    private readonly hygiene: TokenHygiene,
    private readonly doneMarker: MessageDoneMarker,
    private readonly retries: RetryEnqueuer,
    private readonly report: PageTelemetry,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Call it when work on a page begins; `over` must follow, however the page ends. */
  begun(run: PageRun): void {
    this.doneMarker.pageBegun(run.key);
  }

  /** Call it when work on a page has ended: its message may be done. */
  over(run: PageRun): void {
    this.doneMarker.pageEnded(run.key);
  }

  /** @param startedAt from `performance.now()` */
  async complete(run: PageRun, startedAt: number): Promise<PageEnd> {
    const settlement = await this.recorder.settle(run, () => composeSettlement(run, this.clock.now(), newId));
    const end = settlement === null ? { kind: 'lost' as const } : this.#endOf(settlement);
    this.report.pageEnded(run, end, startedAt);
    await this.hygiene.pageEnded(run);
    if (settlement !== null) await this.retries.enqueue(run, settlement.retries);
    if (end.kind === 'waits' && run.stopCause === 'held') run.route.notePutBack();
    return end;
  }

  #endOf({ remainder, lastCallAt }: Settlement): PageEnd {
    if (remainder === null) return { kind: 'finished' };
    const dueAt = Math.min(remainder.notBefore?.getTime() ?? 0, lastCallAt.getTime());
    return { kind: 'waits', delayMs: Math.max(0, dueAt - this.clock.now().getTime()) + AFTER_DUE_MS };
  }
}
