import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import {
  type Database,
  DATABASE,
  type FallbackInquiry,
  lapseFallbacks,
  type MessageKey,
  reportFallback,
  takeInquiries,
} from '@postrider/persistence';
import { CLOCK, type Logger, LOGGER, PhoneDigest } from '@postrider/platform';
import { FallbackMetrics } from './fallback-metrics';
import type { SmsRoute } from './sms-route';

/** A minute, ten minutes and an hour after the first inquiry; then nobody asks any more. */
const PAUSES_SECONDS = [60, 600, 3_600];
const INQUIRIES_A_TURN = 16;

/** Finds out what became of SMS that somebody died over, that got no answer, or whose provider does not report. */
@Injectable()
export class InquireFallbacks {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: FallbackMetrics,
    private readonly digest: PhoneDigest,
  ) {}

  /** Sees to a message's. @returns whether there may be more */
  async inquire(key: MessageKey, route: SmsRoute): Promise<boolean> {
    const lapsed = await lapseFallbacks(this.database, key, this.clock.now());
    if (lapsed > 0) {
      this.logger.warn({ ...key, fallbacks: lapsed }, 'fallback.interrupted');
      this.metrics.cameInto('unknown', route.sender?.provider ?? '', lapsed);
    }
    const now = this.clock.now();
    const limit = INQUIRIES_A_TURN;
    const inquiries = await takeInquiries(this.database, key, { now, pauses: PAUSES_SECONDS, limit });
    await Promise.all(inquiries.map((inquiry) => this.#ask(key.appId, inquiry, route)));
    return inquiries.length === limit;
  }

  async #ask(appId: string, inquiry: FallbackInquiry, { sender }: SmsRoute): Promise<void> {
    const { fallbackId, provider, providerMessageId, phone: to, content: text, attemptedAt } = inquiry;
    // Another provider than the one that was asked to send knows nothing of it.
    if (sender?.inquire === undefined || sender.provider !== provider) return;
    const known = await sender.inquire({ id: fallbackId, providerMessageId, to, text, attemptedAt });
    if (known === null) return;
    const isBad = known.status === 'undelivered' || known.status === 'failed';
    const reason = isBad ? `The provider says that it was not delivered (${known.status})` : null;
    const errorCode = isBad ? known.errorCode : null;
    const report = { ...known, provider, fallbackId, errorCode, reason };
    const isRecorded = await reportFallback(this.database, appId, report, {
      now: this.clock.now(),
      digest: this.digest,
    });
    if (isRecorded) this.metrics.cameInto(known.status, provider);
  }
}
