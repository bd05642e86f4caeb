import { randomBytes } from 'node:crypto';
import type { ArrivedRequest } from '../../wire/exchange';
import { jsonAnswer } from '../../wire/json';
import { type Acceptance, type VendorApi, type Received, type Refusal, type Refused, refused } from '../vendor-api';
import type { Submission, Summary } from '../vendor-api';

const PATH = /^\/2010-04-01\/Accounts\/([^/]+)\/Messages\.json$/;
const ACCOUNT_PATH = /^\/2010-04-01\/Accounts\/([^/]+)\.json$/;
const E164 = /^\+[1-9]\d{6,14}$/;
const MAX_BODY_CHARACTERS = 1_600;
const MAX_VALIDITY_SECONDS = 36_000;

/** Numbers that Twilio itself keeps for tests, and what each is refused with. */
const TEST_NUMBERS: Record<string, [number, string]> = {
  '+15005550001': [21211, "Invalid 'To' Phone Number"],
  '+15005550002': [21612, "The 'To' phone number is not currently reachable"],
  '+15005550003': [21408, 'Permission to send an SMS has not been enabled for the region'],
  '+15005550004': [21610, 'Attempt to send to unsubscribed recipient'],
  '+15005550009': [21614, "'To' number is not a valid mobile number"],
};

const MESSAGE_BY_HTTP: Record<number, [number, string]> = {
  401: [20003, 'Authenticate'],
  429: [20429, 'Too Many Requests'],
  500: [20500, 'Internal Server Error'],
  503: [20503, 'Service Unavailable'],
};

/** Twilio's Messages resource for one account, and the account itself, by which callers check their credentials. */
export class TwilioApi implements VendorApi {
  readonly name = 'twilio';
  readonly takesMessages = true;
  private readonly authorization: string;

  constructor(
    private readonly accountSid: string,
    authToken: string,
  ) {
    this.authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
  }

  owns(method: string, path: string): boolean {
    return method === 'POST' ? PATH.test(path) : method === 'GET' && ACCOUNT_PATH.test(path);
  }

  receive(request: ArrivedRequest): Received {
    if (request.headers.authorization !== this.authorization) return refusedWith(401, 20003, 'Authenticate');
    const isAboutAccount = request.method === 'GET';
    if ((isAboutAccount ? ACCOUNT_PATH : PATH).exec(request.path)?.[1] !== this.accountSid)
      return refusedWith(404, 20404, 'The requested resource was not found');
    if (isAboutAccount)
      return {
        kind: 'submitted',
        submission: { tokens: [this.accountSid], payload: {}, details: {}, isRehearsal: true },
      };
    const form = new URLSearchParams(request.body.toString('utf8'));
    const problem = problemOf(form);
    if (problem !== undefined) return refusedWith(400, ...problem);
    const payload = Object.fromEntries(form);
    return { kind: 'submitted', submission: { tokens: [payload.To ?? ''], payload, details: {}, isRehearsal: false } };
  }

  accept(submission: Submission): Acceptance {
    if (submission.isRehearsal) {
      const account = { sid: this.accountSid, friendly_name: 'Simulated account', status: 'active', type: 'Full' };
      return { answer: jsonAnswer(200, account), vendorMessageId: '' };
    }
    const form = submission.payload as Record<string, string>;
    const sid = `SM${randomBytes(16).toString('hex')}`;
    const now = new Date().toUTCString();
    const body = {
      sid,
      account_sid: this.accountSid,
      api_version: '2010-04-01',
      body: form.Body ?? '',
      date_created: now,
      date_sent: null,
      date_updated: now,
      direction: 'outbound-api',
      error_code: null,
      error_message: null,
      from: form.From ?? null,
      messaging_service_sid: form.MessagingServiceSid ?? null,
      num_media: '0',
      num_segments: '1',
      price: null,
      price_unit: null,
      status: form.MessagingServiceSid === undefined ? 'queued' : 'accepted',
      to: form.To ?? '',
      uri: `/2010-04-01/Accounts/${this.accountSid}/Messages/${sid}.json`,
    };
    return { answer: jsonAnswer(201, body), vendorMessageId: sid };
  }

  refuse(refusal: Refusal): Refused {
    if (refusal.kind === 'dead') return failure(400, 21614, "'To' number is not a valid mobile number");
    if (refusal.kind === 'invalid') return failure(400, 21211, "Invalid 'To' Phone Number");
    const [code, message] = MESSAGE_BY_HTTP[refusal.http] ?? [20500, 'Internal Server Error'];
    return failure(refusal.http, Number(refusal.code ?? code), message, refusal.retryAfter);
  }

  summarize(payload: unknown): Summary {
    const form = payload as Record<string, string>;
    return { title: form.From ?? '', body: form.Body ?? '' };
  }
}

function problemOf(form: URLSearchParams): [number, string] | undefined {
  const to = form.get('To') ?? '';
  if (to === '') return [21604, "A 'To' phone number is required."];
  if (!E164.test(to)) return [21211, `Invalid 'To' Phone Number: ${to}`];
  if (!form.get('From') && !form.get('MessagingServiceSid')) return [21603, "A 'From' phone number is required."];
  return contentProblem(form) ?? TEST_NUMBERS[to];
}

function contentProblem(form: URLSearchParams): [number, string] | undefined {
  const text = form.get('Body') ?? '';
  if (text === '' && !form.has('MediaUrl')) return [21602, 'Message body is required.'];
  if (text.length > MAX_BODY_CHARACTERS)
    return [21617, 'The concatenated message body exceeds the 1600 character limit'];
  const validity = Number(form.get('ValidityPeriod') ?? MAX_VALIDITY_SECONDS);
  return validity >= 1 && validity <= MAX_VALIDITY_SECONDS
    ? undefined
    : [21621, 'ValidityPeriod must be from 1 to 36000'];
}

function refusedWith(status: number, code: number, message: string): Received {
  const failed = failure(status, code, message);
  return refused(failed.code, failed.answer);
}

function failure(status: number, code: number, message: string, retryAfter?: number | string): Refused {
  const body = { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status };
  return { code: String(code), answer: jsonAnswer(status, body, retryAfter) };
}
