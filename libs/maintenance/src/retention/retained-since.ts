import { DAY_MS } from '@postrider/domain';
import type { Config } from '@postrider/platform';

/** The moment before which messages, and what belongs to them, are kept no longer. */
export function retainedSince(now: Date, { retentionDays }: Pick<Config, 'retentionDays'>): Date {
  return new Date(now.getTime() - retentionDays * DAY_MS);
}
