import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import {
  claimFallbacks,
  type Database,
  DATABASE,
  type DueFallback,
  inTransaction,
  lockDueFallbacks,
  type MessageKey,
} from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { FallbackMetrics } from './fallback-metrics';
import { judgeFallback } from './judge-fallback';

/** Longer than a call can take, with the time for its record. */
const LEASE_MS = 300_000;

/** A fallback that this process alone may send now, once. */
export type ClaimedSms = DueFallback & { attempt: number; phone: string };

/** What a claim found. */
export interface FallbackClaims {
  /** How many were due. */
  due: number;
  toSend: ClaimedSms[];
}

/** Claims a message's due fallbacks, and ends those that need no SMS, or cannot have one any more. */
@Injectable()
export class ClaimFallbacks {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly metrics: FallbackMetrics,
  ) {}

  /**
   * Claims up to `limit`, in one transaction. What it gives to send is recorded as being sent, and is so once only, however
   * many processes claim.
   *
   * @param provider who is going to send; null when nobody can: then only those are seen to that end without an SMS
   */
  async claim(key: MessageKey, provider: string | null, limit: number): Promise<FallbackClaims> {
    const now = this.clock.now();
    const claims = await inTransaction(this.database, async (executor) => {
      const due = await lockDueFallbacks(executor, key, now, limit);
      const judged = due.map((fallback) => judgeFallback(fallback, now));
      const verdicts = provider === null ? judged.filter(({ state }) => state !== 'sending') : judged;
      const leaseEndsAt = new Date(now.getTime() + LEASE_MS);
      const claimed =
        verdicts.length > 0 ? await claimFallbacks(executor, key, verdicts, { provider, now, leaseEndsAt }) : [];
      return { due, phones: new Map(judged.map(({ userId, phone }) => [userId, phone])), claimed };
    });
    const byUser = new Map(claims.due.map((fallback) => [fallback.userId, fallback]));
    const toSend = claims.claimed.flatMap(({ userId, state, attempt }) => {
      const [fallback, phone] = [byUser.get(userId), claims.phones.get(userId)];
      if (state === 'sending' && fallback && phone) return [{ ...fallback, attempt, phone }];
      this.metrics.cameInto(state, '');
      return [];
    });
    return { due: claims.due.length, toSend };
  }
}
