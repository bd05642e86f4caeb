import type { SmsStatus } from '@postrider/domain';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { classIn } from '../../outcome/class-in';

/** A request that Twilio sent, as far as it is signed. */
interface TwilioRequest {
  /** The header `X-Twilio-Signature`. */
  signature: string;
  /** The whole address that Twilio called, with the query. */
  url: string;
  form: Readonly<Record<string, string>>;
}

/**
 * True if the signature belongs to the request: base64(HMAC-SHA1(authToken, URL + every form field's name and value, in
 * the order of the names)). Compared in constant time.
 */
export function isTwilioSigned({ signature, url, form }: TwilioRequest, authToken: string): boolean {
  const signed = Object.keys(form)
    .sort()
    .reduce((text, name) => text + name + (form[name] ?? ''), url);
  const expected = createHmac('sha1', authToken).update(signed, 'utf8').digest();
  const shown = Buffer.from(signature, 'base64');
  return shown.length === expected.length && timingSafeEqual(shown, expected);
}

const STATUSES: Readonly<Record<string, SmsStatus>> = {
  accepted: 'sent',
  scheduled: 'sent',
  queued: 'sent',
  sending: 'sent',
  sent: 'sent',
  delivered: 'delivered',
  read: 'delivered',
  partially_delivered: 'delivered',
  undelivered: 'undelivered',
  failed: 'failed',
  canceled: 'failed',
};

/** Returns the meaning of a Twilio `MessageStatus`; null if it says nothing about an SMS of ours. */
export function twilioStatus(status: unknown): SmsStatus | null {
  return typeof status === 'string' ? (classIn(STATUSES, status) ?? null) : null;
}
