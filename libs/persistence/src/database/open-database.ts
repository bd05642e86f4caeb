import { describeFailure, type Logger, RepeatedWarning } from '@postrider/platform';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { isDatabaseUnavailable } from './is-database-unavailable';

/** Shorter than an orchestrator waits for a process to start (`startupProbe` in `k8s/base`: a minute). */
const PATIENCE_MS = 30_000;
const TRY_AGAIN_AFTER_MS = 500;

/**
 * Opens the pool of a process that starts. While PostgreSQL is away (it restarts, or another server takes over), it is tried again:
 * otherwise an orchestrator that sees the process fail waits longer and longer before the next start, minutes in the end.
 *
 * @param patienceMs how long it is tried
 *
 * @throws Error the last error, if PostgreSQL does not come back in time, or at once if trying again is no use
 */
export function openDatabase(dataSource: DataSource, logger: Logger, patienceMs = PATIENCE_MS): Promise<DataSource> {
  return whenAvailable(() => dataSource.initialize(), logger, patienceMs);
}

/**
 * Does what a process needs from PostgreSQL before it has started. It tries as long as for the pool (`openDatabase`), since PostgreSQL
 * may go away after that was opened.
 *
 * @throws Error as `openDatabase`
 */
export async function whenAvailable<T>(work: () => Promise<T>, logger: Logger, patienceMs = PATIENCE_MS): Promise<T> {
  const unavailable = new RepeatedWarning(logger, 'database.unavailable');
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() >= giveUpAt) throw error;
      unavailable.log({ reason: describeFailure(error) });
    }
    await pause(TRY_AGAIN_AFTER_MS);
  }
}
