import { type Clock, type SmsStatus, UUID } from '@postrider/domain';
import { FallbackAttemptsRepository, type FallbackReport, PhoneKeys } from '@postrider/persistence';
import { kavenegarStatus, twilioStatus } from '@postrider/vendors';
import { Counter, type Registry } from 'prom-client';
import { Inject, Injectable } from '@nestjs/common';
import { CLOCK, LOGGER, type Logger, METRICS } from '@postrider/platform';

/** The data of a provider's report: the fields of its form and of its query. */
export type ReportFields = Readonly<Record<string, string | undefined>>;

const NAME = /^[^\0]{1,255}$/;
const LONGEST_ERROR = 255;
const STATUSES: readonly SmsStatus[] = ['sent', 'delivered', 'undelivered', 'failed'];

/** Reads a report by Twilio's names. @returns null if it is not about an SMS of ours */
export function readTwilioReport(fields: ReportFields): FallbackReport | null {
  const code = fields.ErrorCode;
  const error = code === undefined || code === '' || code === '0' ? null : code;
  return reportOf('twilio', fields.fallback, fields.MessageSid ?? fields.SmsSid, {
    status: twilioStatus(fields.MessageStatus ?? fields.SmsStatus),
    error,
  });
}

/** Reads a report by Kavenegar's names. */
export function readKavenegarReport(fields: ReportFields): FallbackReport | null {
  const status = kavenegarStatus(fields.status);
  return reportOf('kavenegar', undefined, fields.messageid, { status, error: fields.status ?? null });
}

/** Reads a report of any other provider: `id` (ours) or `messageId` (its own), `status`, and possibly an `error`. */
export function readHttpReport(fields: ReportFields): FallbackReport | null {
  const status = STATUSES.find((known) => known === fields.status) ?? null;
  return reportOf('http', fields.id, fields.messageId, { status, error: fields.error?.replaceAll('\0', '') ?? null });
}

function reportOf(
  provider: string,
  fallbackId: string | undefined,
  messageId: string | undefined,
  { status, error }: { status: SmsStatus | null; error: string | null },
): FallbackReport | null {
  const names = {
    fallbackId: matching(fallbackId, UUID),
    providerMessageId: matching(messageId, NAME),
  };
  if (status === null || (names.fallbackId === null && names.providerMessageId === null)) return null;
  if (status === 'sent' || status === 'delivered') return { provider, ...names, status, errorCode: null, reason: null };
  const reason = `The provider reported that it was not delivered (${status})`;
  return { provider, ...names, status, errorCode: error?.slice(0, LONGEST_ERROR) ?? null, reason };
}

function matching(text: string | undefined, form: RegExp): string | null {
  return text !== undefined && form.test(text) ? text : null;
}

/** Fallbacks that providers' reports changed. Workers count under the same name. */
@Injectable()
export class ReportMetrics {
  readonly #fallbacks: Counter;

  constructor(@Inject(METRICS) registry: Registry) {
    this.#fallbacks = new Counter({
      name: 'postrider_fallbacks_total',
      help: 'Fallback SMS that reached a state, by state and provider',
      labelNames: ['state', 'provider'],
      registers: [registry],
    });
  }

  /** Counts a report that changed a fallback. */
  reported(state: string, provider: string): void {
    this.#fallbacks.inc({ state, provider });
  }
}

/** Records the reports of SMS providers. A report that changes nothing (late, twice, about nobody) is no error. */
@Injectable()
export class SmsReports {
  constructor(
    private readonly fallbackAttempts: FallbackAttemptsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: ReportMetrics,
    private readonly phoneKeys: PhoneKeys,
  ) {}

  /** @returns true if the report changed anything */
  async record(appId: string, report: FallbackReport | null): Promise<boolean> {
    if (report === null) return false;
    const isRecorded = await this.fallbackAttempts.report(appId, report, {
      now: this.clock.now(),
      digest: await this.phoneKeys.digest(),
    });
    if (isRecorded) this.metrics.reported(report.status, report.provider);
    const { provider, status, errorCode } = report;
    this.logger.info({ appId, provider, status, errorCode, isRecorded }, 'fallback.reported');
    return isRecorded;
  }
}
