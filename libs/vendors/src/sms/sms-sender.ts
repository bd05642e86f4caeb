import { createHash } from 'node:crypto';
import type { Clock, SendOutcome, SmsStatus } from '@postrider/domain';
import type { HttpsProxy } from '@postrider/platform';
import type { CheckResult } from '../sender';

/** The fate of an SMS when nobody can say if the provider took it: it is sent again, or left. */
export type OnUnknown = 'resend' | 'leave';

/** A Twilio account, and the sender of its messages: a number or a messaging service. */
export type TwilioCredentials = {
  provider: 'twilio';
  accountSid: string;
  authToken: string;
  from?: string;
  messagingServiceSid?: string;
  endpoint: string;
  ca?: string;
};

/** A Kavenegar account and one of its lines. `statusSecret`: the secret that proves that its reports are its own. */
export type KavenegarCredentials = {
  provider: 'kavenegar';
  apiKey: string;
  sender: string;
  endpoint: string;
  ca?: string;
  statusSecret: string;
};

/** A provider described by a template. What may hold a key (query, headers, body) is kept as a secret. */
export type HttpSmsCredentials = {
  provider: 'http';
  endpoint: string;
  query: string;
  method: 'POST' | 'PUT' | 'PATCH' | 'GET';
  headers: Record<string, string>;
  body: string;
  /** Statuses that mean it was taken; none: every 2xx. */
  successStatus: number[];
  /** The place of the provider's id in the answer: `data.messages[0].id`. */
  idPath?: string;
  ca?: string;
  statusSecret: string;
};

/** Credentials of an SMS provider, as stored: `{ ...settings, ...secrets }`. */
export type SmsCredentials = (TwilioCredentials | KavenegarCredentials | HttpSmsCredentials) & {
  /** Left out: `leave`. */
  onUnknown?: OnUnknown;
};

/** The options of every SMS sender beside its credentials. */
export interface SmsSenderOptions {
  clock: Clock;
  /** True if endpoints may be loopback or private addresses, or plain http. */
  allowPrivateEndpoints: boolean;
  /** The proxy that leads out, if there is one. */
  proxy?: HttpsProxy | undefined;
  /** How long an answer may take. Default 30 s: giving up early only makes more SMS uncertain. */
  deadlineMs?: number;
}

/** A kind of SMS provider. */
export type SmsProvider = 'twilio' | 'kavenegar' | 'http';

/**
 * The outcome of one SMS. `ambiguous` means that the provider may have sent it: no provider knows an idempotency key,
 * so it must not be sent again.
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
  /** How long the provider may continue to try. */
  readonly validitySeconds: number;
  /** The address to which the provider may report its fate. */
  readonly statusCallback?: string;
  /** Asked at the moment at which the request would be written; when it says no, the outcome is `retryable`, `WITHDRAWN`. */
  readonly mayWrite?: () => boolean;
}

/** An SMS about which the provider is asked. */
export interface SmsInquiry {
  readonly id: string;
  /** Null when the provider's answer never came. */
  readonly providerMessageId: string | null;
  readonly to: string;
  /** The SHA-256 of its text (`smsTextDigest`). Null if it is not known. */
  readonly textDigest: Buffer | null;
  /** When the provider was asked to send it. */
  readonly attemptedAt: Date;
}

/** The SHA-256 of the text of an SMS. A record of it recognises the text among others without holding it. */
export function smsTextDigest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

/** The provider's knowledge of an SMS. */
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
   * Returns the provider's report about an SMS; `absent` if the provider says that it never had it, null if it cannot
   * say, or cannot be asked now. Without this method, it can never be asked.
   */
  inquire?(inquiry: SmsInquiry): Promise<SmsReport | 'absent' | null>;
  check(): Promise<CheckResult>;
  /** Closes every connection once the calls under way are answered. */
  close(): Promise<void>;
}
