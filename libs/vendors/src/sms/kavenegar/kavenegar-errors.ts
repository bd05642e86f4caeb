import type { SmsErrorClass } from '../sms-error-class';

/** By `return.status` in the body, which Kavenegar gives as the HTTP status too. */
export const KAVENEGAR_CODES: Readonly<Record<number, SmsErrorClass>> = {
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
  // No credit: everybody waits until somebody has paid.
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
