import type { SmsErrorClass } from '../sms-error-class';

/** By the `code` in the body of a refusal. */
export const TWILIO_CODES: Readonly<Record<string, SmsErrorClass>> = {
  // The account, its password or its sender is wrong: nobody gets anything.
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
