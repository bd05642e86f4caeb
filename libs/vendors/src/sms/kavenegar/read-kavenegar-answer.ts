import type { JsonObject } from '@postrider/domain';
import type { HttpResult } from '../../http1/http-client';
import { outcomeOfFailure } from '../../outcome/outcome-of-failure';
import { retryAfterMs } from '../../outcome/retry-after';
import { readId, readJsonObject } from '../read-json';
import { classOfSmsStatus, refusalOf } from '../sms-error-class';
import type { SmsOutcome } from '../sms-sender';
import { KAVENEGAR_CODES } from './kavenegar-errors';

/** What Kavenegar's answer to a send means. The body's own status goes before HTTP's. */
export function readKavenegarAnswer(result: HttpResult, now: Date): SmsOutcome {
  if (result.kind !== 'answer') return outcomeOfFailure(result) as SmsOutcome;
  const answer = readJsonObject(result.body);
  const { status, message } = readReturn(answer, result.status);
  if (status >= 200 && status < 300) {
    const id = readId(firstEntry(answer)?.messageid);
    if (id !== null) return { kind: 'accepted', vendorMessageId: id };
    return refusalOf('ambiguous', 'unreadable_answer', `HTTP ${result.status} without a message`);
  }
  const kind = KAVENEGAR_CODES[status] ?? classOfSmsStatus(status);
  return refusalOf(kind, String(status), message, retryAfterMs(result.headers['retry-after'], now));
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
