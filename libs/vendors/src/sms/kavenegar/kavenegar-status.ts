import type { SmsStatus } from '@postrider/domain';

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

/** What a status of Kavenegar's means, as a number or as text; null when it says nothing (100: no such message). */
export function kavenegarStatus(status: unknown): SmsStatus | null {
  const key = String(status);
  return Object.hasOwn(STATUSES, key) ? (STATUSES[key] ?? null) : null;
}
