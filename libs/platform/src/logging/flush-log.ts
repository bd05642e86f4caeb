import type { Logger } from './logger';

/**
 * Writes the lines that the logger still holds, before an exit. It also resolves if the reader of our output is gone:
 * the logger notices that here, while there is an event loop, and drops the rest. In its exit hook, it would try to
 * write for ever and the process would never end.
 */
export function flushLog(logger: Logger): Promise<void> {
  return new Promise((flushed) => logger.flush(() => flushed()));
}
