import type { Logger } from './logger';

/**
 * Writes what the logger still holds, before an exit. It resolves too when whoever read our output is gone: the logger learns
 * of that here, while there is an event loop, and drops the rest. Left to its exit hook, it would try to write for ever and the
 * process would never end.
 */
export function flushLog(logger: Logger): Promise<void> {
  return new Promise((flushed) => logger.flush(() => flushed()));
}
