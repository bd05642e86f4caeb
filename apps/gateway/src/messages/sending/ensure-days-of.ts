import { type Database, PartitionsRepository } from '@postrider/persistence';
import type { ScheduledSend } from './schedule-sends';

/** The days of the ledger that there surely are: upkeep makes those of the next two weeks. */
const MADE_AHEAD_MS = 12 * 86_400_000;

/** Makes the days of the ledger that messages far ahead belong to, where they are missing. */
export async function ensureDaysOf(database: Database, sendings: readonly ScheduledSend[], now: Date): Promise<void> {
  const far = sendings.filter(({ firstAt }) => firstAt.getTime() - now.getTime() > MADE_AHEAD_MS);
  const days = new Map(far.map(({ firstAt }) => [firstAt.toISOString().slice(0, 10), firstAt]));
  const partitions = new PartitionsRepository(database);
  for (const day of days.values()) await partitions.ensure(day, 0);
}
