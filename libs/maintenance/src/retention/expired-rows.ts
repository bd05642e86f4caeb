import { Injectable } from '@nestjs/common';
import { DAY_MS } from '@postrider/domain';
import {
  DeadTokensRepository,
  deleteOld,
  FallbacksRepository,
  IdempotencyRepository,
  PacingRepository,
  TrackersRepository,
  WebhookEventsRepository,
} from '@postrider/persistence';

const TOKEN_ANSWERS_KEPT_MS = 30 * DAY_MS;

/** How many rows went, of those that are worth a line in the log. */
export interface DeletedRows {
  fallbacks: number;
  webhookEvents: number;
  quarantined: number;
  idempotencyKeys: number;
}

/** Deletes rows whose time is over from the tables that have no partitions. */
@Injectable()
export class ExpiredRows {
  constructor(
    private readonly fallbacks: FallbacksRepository,
    private readonly deadTokens: DeadTokensRepository,
    private readonly webhookEvents: WebhookEventsRepository,
    private readonly trackers: TrackersRepository,
    private readonly idempotency: IdempotencyRepository,
    private readonly pacing: PacingRepository,
  ) {}

  /**
   * Deletes them a bounded number at a time. Safe to repeat, and to run from several processes at once.
   *
   * @param retainedSince the moment before which messages, and what belongs to them, are kept no longer
   * @param signal ends the work early
   */
  async delete(now: Date, retainedSince: Date, signal: AbortSignal): Promise<DeletedRows> {
    const dayBefore = new Date(now.getTime() - DAY_MS);
    const { trackers } = this;
    const fallbacks = await deleteOld((...of) => this.fallbacks.deleteOld(...of), retainedSince, signal);
    const webhookEvents = await deleteOld((...of) => this.webhookEvents.deleteOld(...of), retainedSince, signal);
    await deleteOld((...of) => this.pacing.deleteOld(...of), dayBefore, signal);
    const quarantined = await deleteOld((...of) => this.deadTokens.deleteOldQuarantines(...of), retainedSince, signal);
    const answersBefore = new Date(now.getTime() - TOKEN_ANSWERS_KEPT_MS);
    await deleteOld((...of) => this.deadTokens.deleteOldAnswers(...of), answersBefore, signal);
    await deleteOld((...of) => trackers.deleteExpiredLinks(...of), now, signal);
    await deleteOld((...of) => trackers.deleteOldVisitors(...of), dayBefore, signal);
    await deleteOld((...of) => trackers.deleteOldHandovers(...of), retainedSince, signal);
    await deleteOld((...of) => trackers.deleteOldLinkOpens(...of), retainedSince, signal);
    const idempotencyKeys = await deleteOld((...of) => this.idempotency.deleteOld(...of), dayBefore, signal);
    return { fallbacks, webhookEvents, quarantined, idempotencyKeys };
  }
}
