import { pino } from 'pino';

/** Lines are written together: when there are so many bytes of them, and after a moment at the latest. */
const WRITTEN_TOGETHER = { minLength: 8_192, periodicFlush: 100 };

/**
 * Where lines go: a file descriptor, standard output by default. When whoever reads it is gone, what is left to write is
 * dropped: the flush at the end of a process must not throw, for then the process would never end.
 */
export function openLogDestination(dest = 1): ReturnType<typeof pino.destination> {
  const destination = pino.destination({ dest, sync: false, ...WRITTEN_TOGETHER });
  const flushSync = destination.flushSync.bind(destination);
  destination.flushSync = () => {
    try {
      flushSync();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    }
  };
  return destination;
}
