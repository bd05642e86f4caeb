import { type JsonObject, MINUTE_MS } from '@postrider/domain';
import type { HttpClient, HttpResult } from '../../http1/http-client';
import type { CheckResult } from '../../sender';
import { readId, readJsonObject, smsBody, smsClient } from '../sms-http';
import {
  smsTextDigest,
  type TwilioCredentials,
  type SmsInquiry,
  type SmsOutcome,
  type SmsReport,
  type SmsRequest,
  type SmsSender,
  type SmsSenderOptions,
} from '../sms-sender';
import { whyTooLong } from '../sms-text-limit';
import { readTwilioAnswer } from './read-twilio-answer';
import { twilioStatus } from './twilio-callback';

/** Twilio's code for a text that is too long. */
const TOO_LONG = '21617';
const MAX_VALIDITY_SECONDS = 36_000;
const PAGE_SIZE = 50;

/** How far apart Twilio's clock and ours may be, including the time that its answer was on its way. */
const AROUND_MS = MINUTE_MS;

/** Sends through Twilio's Messages resource (2010-04-01). */
export class TwilioSender implements SmsSender {
  readonly provider = 'twilio';
  readonly #client: HttpClient;
  readonly #headers: Record<string, string>;
  readonly #account: string;

  constructor(
    private readonly credentials: TwilioCredentials,
    private readonly options: SmsSenderOptions,
  ) {
    const { accountSid, authToken, endpoint, ca } = credentials;
    this.#client = smsClient(options, ca);
    const basic = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
    this.#headers = { authorization: `Basic ${basic}`, accept: 'application/json' };
    this.#account = `${endpoint}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}`;
  }

  async send({ to, text, validitySeconds, statusCallback, mayWrite }: SmsRequest): Promise<SmsOutcome> {
    const tooLong = whyTooLong(this.provider, text);
    if (tooLong !== null) return { kind: 'request_invalid', code: TOO_LONG, reason: tooLong };
    const { from, messagingServiceSid } = this.credentials;
    const form = new URLSearchParams({
      To: to,
      Body: text,
      ...(messagingServiceSid === undefined ? { From: from ?? '' } : { MessagingServiceSid: messagingServiceSid }),
      ValidityPeriod: String(Math.min(Math.max(1, Math.floor(validitySeconds)), MAX_VALIDITY_SECONDS)),
      ...(statusCallback === undefined ? {} : { StatusCallback: statusCallback }),
    });
    const headers = { ...this.#headers, 'content-type': 'application/x-www-form-urlencoded' };
    const url = new URL(`${this.#account}/Messages.json`);
    const body = smsBody(form.toString(), mayWrite);
    return readTwilioAnswer(await this.#client.post(url, headers, body), this.options.clock.now());
  }

  /**
   * Asks by Twilio's id if it is known. Otherwise it looks for number, text and time: of the messages to this number,
   * the only one with this text that was made at the same time as ours. If there are several, it returns no report.
   * Twilio never had our SMS if nothing was sent to this number since, whatever the text: Twilio may show a text
   * differently from the one that it was given.
   */
  async inquire(inquiry: SmsInquiry): Promise<SmsReport | 'absent' | null> {
    const { providerMessageId, to } = inquiry;
    if (providerMessageId !== null) {
      return reportOf(read(await this.#get(`/Messages/${encodeURIComponent(providerMessageId)}.json`)));
    }
    const list = read(
      await this.#get(`/Messages.json?${new URLSearchParams({ To: to, PageSize: String(PAGE_SIZE) }).toString()}`),
    );
    if (!Array.isArray(list?.messages)) return null;
    const messages = list.messages as JsonObject[];
    if (messages.length < PAGE_SIZE && !messages.some((message) => mayBeOurs(message, inquiry))) return 'absent';
    const ours = messages.filter((message) => isOurs(message, inquiry));
    return ours.length === 1 ? reportOf(ours[0] ?? null) : null;
  }

  async check(): Promise<CheckResult> {
    const result = await this.#get('.json');
    if (result.kind === 'answer' && result.status === 200 && read(result)?.sid === this.credentials.accountSid) {
      return { ok: true };
    }
    const outcome = readTwilioAnswer(result, this.options.clock.now());
    return outcome.kind === 'accepted'
      ? { ok: false, code: 'unexpected_answer', reason: 'The account answered is another' }
      : { ok: false, code: outcome.code, reason: outcome.reason };
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  #get(path: string): Promise<HttpResult> {
    return this.#client.send('GET', new URL(this.#account + path), this.#headers);
  }
}

function read(result: HttpResult): JsonObject | null {
  return result.kind === 'answer' && result.status === 200 ? readJsonObject(result.body) : null;
}

function reportOf(message: JsonObject | null): SmsReport | null {
  const providerMessageId = readId(message?.sid);
  const status = twilioStatus(message?.status);
  if (providerMessageId === null || status === null) return null;
  return { providerMessageId, status, errorCode: readId(message?.error_code) };
}

function isOurs(message: JsonObject | null, { to, textDigest, attemptedAt }: SmsInquiry): boolean {
  if (message?.to !== to || message.direction !== 'outbound-api' || typeof message.body !== 'string') return false;
  if (textDigest === null || !smsTextDigest(message.body).equals(textDigest)) return false;
  return Math.abs(madeAt(message) - attemptedAt.getTime()) <= AROUND_MS;
}

/** True if it was sent, and not surely before ours could have been. */
function mayBeOurs(message: JsonObject | null, { attemptedAt }: SmsInquiry): boolean {
  return message?.direction !== 'inbound' && !(madeAt(message) < attemptedAt.getTime() - AROUND_MS);
}

function madeAt(message: JsonObject | null): number {
  return typeof message?.date_created === 'string' ? Date.parse(message.date_created) : NaN;
}
