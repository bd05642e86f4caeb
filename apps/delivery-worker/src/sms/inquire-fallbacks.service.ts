import { Inject, Injectable } from '@nestjs/common';
import { type Clock, MINUTE_MS } from '@postrider/domain';
import { FallbackAttemptsRepository, type FallbackInquiry, type MessageKey, PhoneKeys } from '@postrider/persistence';
import { CLOCK, type Logger, LOGGER } from '@postrider/platform';
import type { SmsReport, SmsSender } from '@postrider/vendors';
import { FallbackMetrics } from './fallback-metrics';
import type { SmsRoute } from './sms-route';

/** The next inquiries come a minute, ten minutes and an hour after the first; then there are no more. */
const PAUSES_SECONDS = [60, 600, 3_600];
const INQUIRIES_A_TURN = 16;

/** A provider that does not have an SMS this long after it was written will never have it. */
const SURELY_ABSENT_AFTER_MS = MINUTE_MS;
/** A provider that could not answer this often is not asked any more. */
const CANNOT_SAY_TIMES = 2;

/** Finds out what happened to SMS whose worker died, that got no answer, or whose provider does not report. */
@Injectable()
export class InquireFallbacks {
  constructor(
    private readonly fallbackAttempts: FallbackAttemptsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: FallbackMetrics,
    private readonly phoneKeys: PhoneKeys,
  ) {}

  /** Inquires about the fallbacks of one message. @returns true if there may be more */
  async inquire(key: MessageKey, route: SmsRoute): Promise<boolean> {
    await this.#endOverdueLeases(key, route);
    const now = this.clock.now();
    const limit = INQUIRIES_A_TURN;
    const inquiries = await this.fallbackAttempts.takeInquiries(key, { now, pauses: PAUSES_SECONDS, limit });
    await Promise.all(inquiries.map((inquiry) => this.#settle(key, inquiry, route)));
    return inquiries.length === limit;
  }

  async #endOverdueLeases(key: MessageKey, route: SmsRoute): Promise<void> {
    const { unwritten, unknown } = await this.fallbackAttempts.endOverdueLeases(key, this.clock.now());
    if (unwritten + unknown === 0) return;
    this.logger.warn({ ...key, fallbacks: unwritten + unknown, unwritten }, 'fallback.interrupted');
    const provider = route.sender?.provider ?? '';
    this.metrics.countState('unknown', provider, unknown);
    this.metrics.countResent('unwritten', provider, unwritten);
  }

  async #settle(key: MessageKey, inquiry: FallbackInquiry, route: SmsRoute): Promise<void> {
    const { sender, revision, resendsUnknown } = route;
    if (sender === null) return;
    // A provider other than the one that was asked to send knows nothing about the SMS.
    const isKnower = sender.inquire !== undefined && sender.provider === inquiry.provider;
    const known = isKnower ? await this.#ask(inquiry, sender) : null;
    if (known !== null && known !== 'absent') return this.#report(key.appId, inquiry, known);
    // Other credentials may be those of another account, which never has the SMS.
    const isAbsent = known !== null && revision === inquiry.revision;
    if (inquiry.state === 'unknown') await this.#decide(key, inquiry, { isAbsent, isKnower, resendsUnknown });
  }

  /** An unknown SMS is sent again if its provider surely never had it, or by choice if nobody can say. */
  async #decide(
    key: MessageKey,
    inquiry: FallbackInquiry,
    { isAbsent, isKnower, resendsUnknown }: Record<'isAbsent' | 'isKnower' | 'resendsUnknown', boolean>,
  ): Promise<void> {
    if (isAbsent) return this.#resendAbsent(key, inquiry);
    if (resendsUnknown && (!isKnower || inquiry.inquiries >= CANNOT_SAY_TIMES))
      await this.#resend(key, inquiry, 'chosen');
  }

  async #resendAbsent(key: MessageKey, inquiry: FallbackInquiry): Promise<void> {
    const age = this.clock.now().getTime() - inquiry.attemptedAt.getTime();
    if (age >= SURELY_ABSENT_AFTER_MS) await this.#resend(key, inquiry, 'absent');
  }

  async #ask(inquiry: FallbackInquiry, sender: SmsSender): Promise<SmsReport | 'absent' | null> {
    const { fallbackId: id, providerMessageId, phone: to, textDigest, attemptedAt } = inquiry;
    return (await sender.inquire?.({ id, providerMessageId, to, textDigest, attemptedAt })) ?? null;
  }

  async #report(appId: string, { provider, fallbackId }: FallbackInquiry, known: SmsReport): Promise<void> {
    const isBad = known.status === 'undelivered' || known.status === 'failed';
    const reason = isBad ? `The provider says that it was not delivered (${known.status})` : null;
    const errorCode = isBad ? known.errorCode : null;
    const report = { ...known, provider, fallbackId, errorCode, reason };
    const isRecorded = await this.fallbackAttempts.report(appId, report, {
      now: this.clock.now(),
      digest: await this.phoneKeys.digest(),
    });
    if (isRecorded) this.metrics.countState(known.status, provider);
  }

  async #resend(key: MessageKey, inquiry: FallbackInquiry, why: 'absent' | 'chosen'): Promise<void> {
    const { userId, attempt, fallbackId, provider } = inquiry;
    const isDue = await this.fallbackAttempts.resend({ ...key, userId, attempt }, why === 'chosen', this.clock.now());
    if (!isDue) return;
    this.metrics.countResent(why, provider);
    this.logger.warn({ ...key, fallbackId, provider, attempt, why }, 'fallback.sent-again');
  }
}
