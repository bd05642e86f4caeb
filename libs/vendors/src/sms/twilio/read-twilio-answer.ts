import type { JsonObject } from '@postrider/domain';
import type { HttpResult } from '../../http1/http-client';
import { classIn } from '../../outcome/class-in';
import { outcomeOfFailure } from '../../outcome/outcome-of-failure';
import { retryAfterMs } from '../../outcome/retry-after';
import { readId, readJsonObject, classOfSmsStatus, refusalOf, type SmsErrorClass } from '../sms-http';
import type { SmsOutcome } from '../sms-sender';
import { twilioStatus } from './twilio-callback';

/** Classes by the `code` in the body of a refusal. */
const TWILIO_CODES: Readonly<Record<string, SmsErrorClass>> = {
  // The account, its password or its sender is wrong: no SMS is sent.
  '20003': 'config',
  '20005': 'config',
  '20008': 'config',
  '20404': 'config',
  '21212': 'config',
  '21603': 'config',
  '21606': 'config',
  '21608': 'config',
  '21703': 'config',
  '21704': 'config',
  '21705': 'config',
  // This number cannot or must not get an SMS.
  '21211': 'recipient_invalid',
  '21214': 'recipient_invalid',
  '21217': 'recipient_invalid',
  '21610': 'recipient_invalid',
  '21612': 'recipient_invalid',
  '21614': 'recipient_invalid',
  '21635': 'recipient_invalid',
  // The account may not send to this country. Others are reached all the same, so it must not hold them.
  '21408': 'recipient_invalid',
  '21602': 'request_invalid',
  '21604': 'request_invalid',
  '21605': 'request_invalid',
  '21617': 'request_invalid',
  '21619': 'request_invalid',
  '21621': 'request_invalid',
  '14107': 'throttled',
  '20429': 'throttled',
  '21611': 'throttled',
  '30001': 'throttled',
  '63038': 'throttled',
  '20503': 'retryable',
  '20500': 'ambiguous',
};

/** Returns the meaning of Twilio's answer to a send. */
export function readTwilioAnswer(result: HttpResult, now: Date): SmsOutcome {
  if (result.kind !== 'answer') return outcomeOfFailure(result) as SmsOutcome;
  const { status, headers, body } = result;
  const answer = readJsonObject(body) ?? {};
  if (status >= 200 && status < 300) return readMessage(answer, status);
  const code = readId(answer.code) ?? `HTTP_${status}`;
  const kind = classIn(TWILIO_CODES, code) ?? classOfSmsStatus(status);
  return refusalOf(kind, code, textOf(answer.message), retryAfterMs(headers['retry-after'], now));
}

/** The message that Twilio made of it; it may have failed at once. */
function readMessage({ sid: id, status, error_code, error_message }: JsonObject, http: number): SmsOutcome {
  const sid = readId(id);
  if (sid === null) return refusalOf('ambiguous', 'unreadable_answer', `HTTP ${http} without a message`);
  if (twilioStatus(status) !== 'failed') return { kind: 'accepted', vendorMessageId: sid };
  const code = readId(error_code) ?? 'failed';
  return refusalOf(classIn(TWILIO_CODES, code) ?? 'request_invalid', code, textOf(error_message));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : 'Twilio gave no reason';
}
