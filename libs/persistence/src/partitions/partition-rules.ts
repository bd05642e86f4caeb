import { DAY_MS } from '@postrider/domain';
import { firstIdAt } from '@postrider/platform';

/** Until when the days of a table are kept: as long as messages are, or a few days only. */
export type PartitionLifetime = 'ledger' | 'shortLived';

/** How a table is divided into days. */
export interface PartitionRule {
  table: string;
  lifetime: PartitionLifetime;
  /** The first value of the partition key that belongs to the day which begins at `midnight`. */
  firstOf(midnight: Date): string;
}

/** The ledger, and what people did with its messages: divided by the id of the message, whose first bits are its time. */
const byMessageId = (table: string): PartitionRule => ({ table, lifetime: 'ledger', firstOf: firstIdAt });

/** What is kept for a few days only: divided by the day on which it was written. */
const byDate = (table: string): PartitionRule => ({ table, lifetime: 'shortLived', firstOf: dateOf });

/** Every table that is divided into days (docs/decisions/0002-partitions-by-message-id.md). */
export const PARTITION_RULES: readonly PartitionRule[] = [
  byMessageId('messages'),
  byMessageId('pages'),
  byMessageId('deliveries'),
  byMessageId('message_counts'),
  byMessageId('delivery_clicks'),
  byMessageId('conversions'),
  byMessageId('inbox_marks'),
  byDate('reported_events'),
];

/** The moment at which the UTC day of `moment` began. */
export function midnightOf(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / DAY_MS) * DAY_MS);
}

/** The name of the partition of `table` for the day that begins at `midnight`: `deliveries_20260131`. */
export function partitionName(table: string, midnight: Date): string {
  return `${table}_${dateOf(midnight).replaceAll('-', '')}`;
}

const NAME = /^[a-z_]+_(\d{4})(\d{2})(\d{2})$/;

/** When the day of a partition ends, by the partition's name. @returns null when the name is not one of `partitionName` */
export function endOfPartition(name: string): Date | null {
  const [, year, month, day] = NAME.exec(name) ?? [];
  if (!year || !month || !day) return null;
  return new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)) + DAY_MS);
}

function dateOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
