import type { JsonObject } from '@postrider/domain';
import type { HttpResult } from '../../http1/http-client';
import { outcomeOfFailure } from '../../outcome/outcome-of-failure';
import { retryAfterMs } from '../../outcome/retry-after';
import { readId, readJsonObject } from '../read-json';
import { classOfSmsStatus, refusalOf } from '../sms-error-class';
import type { SmsOutcome } from '../sms-sender';
import { TWILIO_CODES } from './twilio-errors';
import { twilioStatus } from './twilio-status';

/** What Twilio's answer to a send means. */
export function readTwilioAnswer(result: HttpResult, now: Date): SmsOutcome {
  if (result.kind !== 'answer') return outcomeOfFailure(result) as SmsOutcome;
  const { status, headers, body } = result;
  const answer = readJsonObject(body) ?? {};
  if (status >= 200 && status < 300) return readMessage(answer, status);
  const code = readId(answer.code) ?? `HTTP_${status}`;
  const kind = TWILIO_CODES[code] ?? classOfSmsStatus(status);
  return refusalOf(kind, code, textOf(answer.message), retryAfterMs(headers['retry-after'], now));
}

/** The message that Twilio made of it; it may have failed at once. */
function readMessage({ sid: id, status, error_code, error_message }: JsonObject, http: number): SmsOutcome {
  const sid = readId(id);
  if (sid === null) return refusalOf('ambiguous', 'unreadable_answer', `HTTP ${http} without a message`);
  if (twilioStatus(status) !== 'failed') return { kind: 'accepted', vendorMessageId: sid };
  const code = readId(error_code) ?? 'failed';
  return refusalOf(TWILIO_CODES[code] ?? 'request_invalid', code, textOf(error_message));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : 'Twilio gave no reason';
}
