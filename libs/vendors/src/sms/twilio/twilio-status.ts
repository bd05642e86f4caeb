import type { SmsStatus } from '@postrider/domain';

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

/** What a Twilio `MessageStatus` means; null when it says nothing about an SMS of ours. */
export function twilioStatus(status: unknown): SmsStatus | null {
  return typeof status === 'string' && Object.hasOwn(STATUSES, status) ? (STATUSES[status] ?? null) : null;
}
