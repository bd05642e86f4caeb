import type { Logger } from './logger';

/** Writes the lines that the logger still holds, before an exit. It also resolves if the reader of our output is gone. */
export function flushLog(logger: Logger): Promise<void> {
  return new Promise((flushed) => logger.flush(() => flushed()));
}
