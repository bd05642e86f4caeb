import { type Clock, type SmsStatus, UUID } from '@postrider/domain';
import {
  createFallbackCounter,
  FallbackAttemptsRepository,
  type FallbackReport,
  PhoneKeys,
} from '@postrider/persistence';
import { kavenegarStatus, twilioStatus } from '@postrider/vendors';
import type { Counter, Registry } from 'prom-client';
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

/** Records the reports of SMS providers. A report that changes nothing (late, twice, about nobody) is no error. */
@Injectable()
export class SmsReports {
  readonly #fallbacks: Counter;

  constructor(
    private readonly fallbackAttempts: FallbackAttemptsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) registry: Registry,
    private readonly phoneKeys: PhoneKeys,
  ) {
    this.#fallbacks = createFallbackCounter(registry);
  }

  /** @returns true if the report changed anything */
  async record(appId: string, report: FallbackReport | null): Promise<boolean> {
    if (report === null) return false;
    const isRecorded = await this.fallbackAttempts.report(appId, report, {
      now: this.clock.now(),
      digest: await this.phoneKeys.digest(),
    });
    const { provider, status, errorCode } = report;
    if (isRecorded) this.#fallbacks.inc({ state: status, provider });
    this.logger.info({ appId, provider, status, errorCode, isRecorded }, 'fallback.reported');
    return isRecorded;
  }
}
