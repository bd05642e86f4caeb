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

/** How long a record waits for PostgreSQL, try by try; after that the lease ends it as unknown. */
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

  /** Notes that claimed SMS are being written from now on. @returns the users whose SMS still belong to the caller */
  markWritten(
    key: MessageKey,
    claimed: readonly ClaimedSms[],
    times: { now: Date; leaseEndsAt: Date },
  ): ReturnType<FallbackAttemptsRepository['markWritten']> {
    const unwritten = claimed.map((sms) => ({ ...sms, textDigest: smsTextDigest(sms.content) }));
    return this.fallbackAttempts.markWritten(key, unwritten, times);
  }

  /**
   * Records the result of an attempt; waits a while if PostgreSQL is away.
   * @returns the state of the fallback now; null if it no longer belongs to the caller
   */
  async record(
    attempt: MessageKey & { userId: string; attempt: number },
    result: FallbackResult,
  ): Promise<FallbackState | null> {
    for (const pauseMs of RECORD_PAUSES_MS) {
      try {
        return await this.#recordNow(attempt, result);
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        await pause(pauseMs);
      }
    }
    return this.#recordNow(attempt, result);
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
