import type { JsonObject, SmsStatus } from '@postrider/domain';
import { classIn } from '../../outcome/class-in';
import type { HttpResult } from '../../http1/http-client';
import { outcomeOfFailure } from '../../outcome/outcome-of-failure';
import { retryAfterMs } from '../../outcome/retry-after';
import { classOfSmsStatus, readId, readJsonObject, refusalOf, type SmsErrorClass, type SmsRefusal } from '../sms-http';
import type { SmsOutcome } from '../sms-sender';

type HttpAnswer = Extract<HttpResult, { kind: 'answer' }>;

const STATUSES: Readonly<Record<string, SmsStatus>> = {
  1: 'sent',
  2: 'sent',
  4: 'sent',
  5: 'sent',
  6: 'failed',
  10: 'delivered',
  11: 'undelivered',
  13: 'failed',
  14: 'undelivered',
};

/**
 * Returns the meaning of a Kavenegar status, given as a number or as text; null if it means nothing (100: no such
 * message).
 */
export function kavenegarStatus(status: unknown): SmsStatus | null {
  const key = String(status);
  return classIn(STATUSES, key) ?? null;
}

/** Classes by `return.status` in the body, which Kavenegar also sends as the HTTP status. */
const KAVENEGAR_CODES: Readonly<Record<number, SmsErrorClass>> = {
  400: 'request_invalid',
  401: 'config',
  402: 'retryable',
  403: 'config',
  404: 'config',
  405: 'config',
  406: 'request_invalid',
  407: 'config',
  409: 'retryable',
  411: 'recipient_invalid',
  412: 'config',
  413: 'request_invalid',
  414: 'request_invalid',
  416: 'config',
  417: 'request_invalid',
  // No credit: every SMS waits until the account is paid.
  418: 'config',
  419: 'request_invalid',
  422: 'request_invalid',
  424: 'config',
  426: 'config',
  428: 'request_invalid',
  430: 'config',
  431: 'request_invalid',
  432: 'config',
};

/** Returns the meaning of Kavenegar's answer to a send. The body's own status goes before HTTP's. */
export function readKavenegarAnswer(result: HttpResult, now: Date): SmsOutcome {
  if (result.kind !== 'answer') return outcomeOfFailure(result) as SmsOutcome;
  const answer = readJsonObject(result.body);
  const refusal = refusalIn(answer, result, now);
  if (refusal !== null) return refusal;
  const id = readId(firstEntry(answer)?.messageid);
  if (id !== null) return { kind: 'accepted', vendorMessageId: id };
  return refusalOf('ambiguous', 'unreadable_answer', `HTTP ${result.status} without a message`);
}

/** Why Kavenegar does not accept the credentials; null: it does. */
export function readKavenegarCheck(result: HttpResult, now: Date): SmsRefusal | null {
  if (result.kind !== 'answer') return outcomeOfFailure(result) as SmsRefusal;
  const answer = readJsonObject(result.body);
  const unreadable = refusalOf('ambiguous', 'unreadable_answer', `HTTP ${result.status} without a status`);
  return answer === null && result.status === 200 ? unreadable : refusalIn(answer, result, now);
}

function refusalIn(answer: JsonObject | null, { status: http, headers }: HttpAnswer, now: Date): SmsRefusal | null {
  const { status, message } = readReturn(answer, http);
  if (status >= 200 && status < 300) return null;
  const kind = KAVENEGAR_CODES[status] ?? classOfSmsStatus(status);
  return refusalOf(kind, String(status), message, retryAfterMs(headers['retry-after'], now));
}

function readReturn(answer: JsonObject | null, http: number): { status: number; message: string } {
  const said = answer?.return as JsonObject | null | undefined;
  return {
    status: typeof said?.status === 'number' ? said.status : http,
    message: typeof said?.message === 'string' ? said.message : 'Kavenegar gave no reason',
  };
}

/** The first of an answer's entries, or null. */
export function firstEntry(answer: JsonObject | null): JsonObject | null {
  const entries = answer?.entries;
  const first: unknown = Array.isArray(entries) ? entries[0] : null;
  return typeof first === 'object' && first !== null ? (first as JsonObject) : null;
}
