import { MINUTE_MS } from '@postrider/domain';
import type { Database } from './executor';
import type { ServerPool } from './server-pool';

/** Somebody who looks now and then sees it, and it is over soon after there is room again. */
const REMEMBERED_MS = MINUTE_MS;

/**
 * Says whether PostgreSQL's disk is full. It answers reads as always then, and writes that find room in the files that it has: so
 * nothing is asked, and what it refused this process counts.
 *
 * @param rememberedMs for how long a refusal counts
 * @throws if PostgreSQL refused a statement of this process in that time because there was no room
 */
export function checkDisk(database: Database, rememberedMs = REMEMBERED_MS): Promise<void> {
  const { diskFull } = (database.driver as unknown as { master: ServerPool }).master;
  if (diskFull === null) return Promise.resolve();
  const agoMs = performance.now() - diskFull.at;
  if (agoMs >= rememberedMs) return Promise.resolve();
  const ago = `${Math.round(agoMs / 1_000)} s ago`;
  return Promise.reject(
    new Error(`the disk of PostgreSQL is full: it refused a write ${ago} (${diskFull.words}); make room there`),
  );
}
