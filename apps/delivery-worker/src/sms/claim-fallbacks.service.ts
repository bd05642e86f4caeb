import { Inject, Injectable } from '@nestjs/common';
import { type Clock, firstTimeZone, keepsQuietHours, quietUntil } from '@postrider/domain';
import {
  type Database,
  DATABASE,
  FallbacksRepository,
  type FallbackVerdict,
  inTransaction,
  type MessageKey,
  type DueFallback,
  type PostponedFallback,
  type SmsAccount,
} from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import type { ClaimedSms } from './fallback-records.service';
import { FallbackMetrics } from './fallback-metrics';
import { PersonalFallbacks } from './personal-fallbacks.service';
import { phoneNumberOf } from './phone-number';
import { RefusedSms, withCap } from './refused-sms.service';

/** Longer than it takes to make the texts. After that another worker may claim the SMS: nothing was written yet. */
const LEASE_MS = 30_000;

/** What a claim found. */
interface FallbackClaims {
  /** The number of fallbacks that were due. */
  due: number;
  /** True if others are due: beyond the limit, or locked by another worker at this moment. */
  hasMore: boolean;
  /** The SMS to send, each with its user's own text. */
  toSend: ClaimedSms[];
}

/** Claims a message's due fallbacks, and ends those that need no SMS, or cannot have one any more. */
@Injectable()
export class ClaimFallbacks {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly fallbacks: FallbacksRepository,
    private readonly refused: RefusedSms,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly metrics: FallbackMetrics,
    private readonly personal: PersonalFallbacks,
  ) {}

  /**
   * Claims up to `limit` fallbacks in one transaction. It records the claimed ones as about to be sent, each once,
   * however many processes claim.
   * @param account the provider that will send; null if there is none: then it claims only fallbacks that end without
   * an SMS
   */
  async claim(key: MessageKey, account: SmsAccount | null, limit: number): Promise<FallbackClaims> {
    const now = this.clock.now();
    await this.refused.digestNumbersOf(key.appId);
    const caps = account === null ? null : await this.refused.lookAtCaps(key, now, limit);
    const claims = await inTransaction(this.database, async (executor) => {
      const due = await this.fallbacks.lockDue(executor, key, now, limit);
      const quiet = due.flatMap((fallback) => quietTimeOf(fallback, now));
      if (quiet.length > 0) await this.fallbacks.putOff(executor, key, quiet, now);
      const quietUsers = new Set(quiet.map(({ userId }) => userId));
      // A fallback that became due since the look at the caps has its turn in the next claim.
      const others = due.filter(({ userId }) => !quietUsers.has(userId) && caps?.asked.has(userId) !== false);
      const decided = await this.refused.withoutOptedOut(
        executor,
        key.appId,
        others.map((fallback) => withCap(decideDueFallback(fallback, now), caps)),
      );
      const toRecord = account === null ? decided.filter(({ state }) => state !== 'sending') : decided;
      const leaseEndsAt = new Date(now.getTime() + LEASE_MS);
      const claimed =
        toRecord.length > 0 ? await this.fallbacks.claim(executor, key, toRecord, { account, now, leaseEndsAt }) : [];
      return { due, phones: new Map(decided.map(({ userId, phone }) => [userId, phone])), claimed };
    });
    const byUser = new Map(claims.due.map((fallback) => [fallback.userId, fallback]));
    const toSend = claims.claimed.flatMap(({ userId, state, attempt }) => {
      const [fallback, phone] = [byUser.get(userId), claims.phones.get(userId)];
      if (state === 'sending' && fallback && phone) return [{ ...fallback, attempt, phone }];
      this.metrics.countState(state, '');
      return [];
    });
    const due = claims.due.length;
    const hasMore = account === null ? due === limit : await this.fallbacks.hasDue(key, now);
    return { due, hasMore, toSend: await this.personal.write(key, toSend) };
  }
}

/** Decides about a fallback whose time has come. Pure; the claim itself checks if a device has confirmed. */
function decideDueFallback(due: DueFallback, now: Date): FallbackVerdict {
  const { userId, expiresAt, phoneAttribute: attribute, defaultRegion } = due;
  if (due.isCancelled) {
    return { userId, state: 'cancelled', phone: null, reason: 'The message was cancelled before the SMS was sent' };
  }
  if (expiresAt <= now) {
    return { userId, state: 'expired', phone: null, reason: 'The message expired before the SMS was sent' };
  }
  if (due.isOutsideChannel) {
    return { userId, state: 'cancelled', phone: null, reason: 'No device of the user is a member of the channel' };
  }
  const phone = phoneNumberOf({ attribute, userId, defaultRegion });
  if (phone === null) {
    const reason = 'Neither the attribute phone nor the user id is a phone number';
    return { userId, state: 'no_phone', phone: null, reason };
  }
  return { userId, state: 'sending', phone, reason: null };
}

/**
 * Returns until when quiet hours keep a fallback's SMS back; nothing if they do not, or if the fallback ends without an
 * SMS. Pure.
 */
function quietTimeOf(due: DueFallback, now: Date): PostponedFallback[] {
  const { userId, quietHours, lane, timeZone, defaultTimeZone, isCancelled, expiresAt } = due;
  if (isCancelled || expiresAt <= now || quietHours === null || !keepsQuietHours(quietHours, lane)) return [];
  const until = quietUntil(quietHours, firstTimeZone(timeZone, defaultTimeZone), now.getTime());
  return until === null ? [] : [{ userId, until: new Date(until) }];
}
