import type { INestApplicationContext } from '@nestjs/common';
import { flushLog } from '../logging/flush-log';
import type { Logger } from '../logging/logger';
import type { Shutdown } from '../shutdown/shutdown';

/** The parts that an app has started. */
export interface RunningProcess {
  /** The Nest application: it knows the `Shutdown`, and is closed when the process stops. */
  context: INestApplicationContext;
  /** The ports it listens on, by what answers there: they stand in `process.started`. */
  ports: Record<string, number>;
  /** Closes the parts outside the context, after it. */
  close?(): Promise<void>;
}

/** Work in hand is finished or given back within this time after the first signal. */
const STOP_WITHIN_MS = 20_000;

/** The parts that are stopped. */
interface Stoppable {
  running: RunningProcess;
  logger: Logger;
  shutdown: Shutdown;
}

/** Stops the process on the first SIGTERM or SIGINT and ends it on the second. */
export function stopOnSignal(stoppable: Stoppable): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stoppable.shutdown.isShuttingDown) {
        stoppable.logger.warn({ signal }, 'process.stopped-at-once');
        process.exit(1);
      }
      void stop(stoppable, signal);
    });
  }
}

async function stop({ running, logger, shutdown }: Stoppable, signal: string): Promise<void> {
  const startedAt = performance.now();
  shutdown.begin();
  logger.info({ signal }, 'process.stopping');
  void flushLog(logger);
  const limit = setTimeout(() => {
    logger.error({ afterMs: STOP_WITHIN_MS }, 'process.stop-timed-out');
    process.exit(1);
  }, STOP_WITHIN_MS);
  try {
    await running.context.close();
    await running.close?.();
    logger.info({ durationMs: Math.round(performance.now() - startedAt) }, 'process.stopped');
    await flushLog(logger);
    clearTimeout(limit);
    process.exit(0);
  } catch (error) {
    clearTimeout(limit);
    logger.fatal({ err: error }, 'process.stop-failed');
    process.exit(1);
  }
}
