import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock, FallbackState } from '@postrider/domain';
import {
  type DueFallback,
  FallbackAttemptsRepository,
  type FallbackResult,
  isDatabaseUnavailable,
  type MessageKey,
  PhoneKeys,
} from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { smsTextDigest } from '@postrider/vendors';

/** How long a record waits for PostgreSQL, try by try; after that the lease ends the SMS. */
const RECORD_PAUSES_MS = [100, 500, 2_000, 5_000, 10_000];

/** A fallback that only this process may send now, once, if it notes first that it does (`AttemptFallback.begin`). */
export type ClaimedSms = DueFallback & { attempt: number; phone: string };

/** The records of SMS that are being sent. */
@Injectable()
export class FallbackRecords {
  constructor(
    private readonly fallbackAttempts: FallbackAttemptsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly phoneKeys: PhoneKeys,
  ) {}

  /**
   * Notes that claimed SMS are being written from now on; waits a while if PostgreSQL is away. Nothing is written before
   * this resolves, so a note whose answer was lost is made again.
   * @param leaseMs after this time without a record, the provider may have accepted them
   * @returns the users whose SMS still belong to the caller, and the time of the note
   */
  markWritten(
    key: MessageKey,
    claimed: readonly ClaimedSms[],
    leaseMs: number,
  ): Promise<{ users: Set<string>; at: Date }> {
    const unwritten = claimed.map((sms) => ({ ...sms, textDigest: smsTextDigest(sms.content) }));
    return untilBack(async () => {
      const now = this.clock.now();
      const leaseEndsAt = new Date(now.getTime() + leaseMs);
      return { users: await this.fallbackAttempts.markWritten(key, unwritten, { now, leaseEndsAt }), at: now };
    });
  }

  /**
   * Records the result of an attempt; waits a while if PostgreSQL is away.
   * @returns the state of the fallback now; null if it no longer belongs to the caller
   */
  record(
    attempt: MessageKey & { userId: string; attempt: number },
    result: FallbackResult,
  ): Promise<FallbackState | null> {
    return untilBack(() => this.#recordNow(attempt, result));
  }

  async #recordNow(
    attempt: MessageKey & { userId: string; attempt: number },
    result: FallbackResult,
  ): Promise<FallbackState | null> {
    return this.fallbackAttempts.record(attempt, result, {
      now: this.clock.now(),
      digest: await this.phoneKeys.digest(),
    });
  }
}

/** Repeats `work` while PostgreSQL is away, for some seconds. */
async function untilBack<T>(work: () => Promise<T>): Promise<T> {
  for (const pauseMs of RECORD_PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      await pause(pauseMs);
    }
  }
  return work();
}
