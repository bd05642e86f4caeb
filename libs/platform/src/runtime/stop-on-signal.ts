import type { INestApplicationContext } from '@nestjs/common';
import type { HealthServer } from '../health/health-server';
import { flushLog } from '../logging/flush-log';
import type { Logger } from '../logging/logger';
import type { Shutdown } from '../shutdown/shutdown';

/** Work in hand is finished or given back within this time after the first signal. */
const STOP_WITHIN_MS = 20_000;

/** The parts that are stopped. */
interface Stoppable {
  context: Pick<INestApplicationContext, 'close'>;
  /** Closed last, so that a process that is stopping answers 503 to `/health/ready` up to its end. */
  health: Pick<HealthServer, 'close'>;
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

async function stop({ context, health, logger, shutdown }: Stoppable, signal: string): Promise<void> {
  const startedAt = performance.now();
  shutdown.begin();
  logger.info({ signal }, 'process.stopping');
  void flushLog(logger);
  const limit = setTimeout(() => {
    logger.error({ afterMs: STOP_WITHIN_MS }, 'process.stop-timed-out');
    process.exit(1);
  }, STOP_WITHIN_MS);
  try {
    await context.close();
    await health.close();
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
