import type { SendOutcome, SmsStatus } from '@postrider/domain';
import type { CheckResult } from '../sender';

/** A kind of SMS provider. */
export type SmsProvider = 'twilio' | 'kavenegar' | 'http';

/**
 * What came of one SMS. `ambiguous` means that the provider may have sent it: no provider knows an idempotency key, so it
 * must not be sent again.
 */
export type SmsOutcome =
  | Exclude<SendOutcome, { kind: 'token_invalid' }>
  /** The number is wrong, no mobile phone's, or its owner wants no SMS. */
  | { kind: 'recipient_invalid'; code: string; reason: string };

/** One SMS. */
export interface SmsRequest {
  /** E.164. */
  readonly to: string;
  readonly text: string;
  /** Our id of it, a UUID: where a provider takes one, its reports name it. */
  readonly id: string;
  /** How long the provider may go on trying. */
  readonly validitySeconds: number;
  /** Where the provider may report what becomes of it. */
  readonly statusCallback?: string;
  /** Asked at the moment at which the request would be written; when it says no, the outcome is `retryable`, `WITHDRAWN`. */
  readonly mayWrite?: () => boolean;
}

/** An SMS whose provider is asked what became of it. */
export interface SmsInquiry {
  readonly id: string;
  /** Null when the provider's answer never came. */
  readonly providerMessageId: string | null;
  readonly to: string;
  readonly text: string;
  /** When the provider was asked to send it. */
  readonly attemptedAt: Date;
}

/** What a provider knows of an SMS. */
export interface SmsReport {
  readonly providerMessageId: string;
  readonly status: SmsStatus;
  readonly errorCode: string | null;
}

/**
 * Talks to one SMS provider with one application's credentials. It sends once: it repeats nothing and decides nothing.
 * Refusals are values; `send` and `inquire` throw nothing.
 */
export interface SmsSender {
  readonly provider: SmsProvider;
  send(request: SmsRequest): Promise<SmsOutcome>;
  /**
   * What became of an SMS; `absent` when the provider says that it never had it, null when it cannot say, or cannot be asked
   * now. No such method: it can never be asked.
   */
  inquire?(inquiry: SmsInquiry): Promise<SmsReport | 'absent' | null>;
  check(): Promise<CheckResult>;
  /** Closes every connection once the calls under way are answered. */
  close(): Promise<void>;
}
