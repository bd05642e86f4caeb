import { pino, stdSerializers } from 'pino';
import type { DestinationStream, LoggerOptions, Logger as PinoLogger } from 'pino';
import { hideData, hideSecrets } from './hide-secrets';

/** Nest injection token of the process's `Logger`. */
export const LOGGER = Symbol('Logger');

/** A structured logger: `logger.info({ messageId, count }, 'message.accepted')`, one line per unit of work. */
export type Logger = PinoLogger;

/** Lines are written together: after this many bytes, or after a moment at the latest. */
const MAX_BUFFERED_BYTES = 8_192;
const MAX_BUFFERED_MS = 100;

/**
 * Makes the process's logger. `app` names the process on every line. A process that ends, by itself or by an error,
 * writes the lines that it still holds; a process that is killed may lose the last tenth of a second.
 */
export function createLogger(app: string, options: { logLevel: string; logFormat: 'json' | 'pretty' }): Logger {
  const settings: LoggerOptions = {
    level: options.logLevel,
    base: { app, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    messageKey: 'event',
    serializers: { err: (error: Error) => hideData(stdSerializers.err(error)) },
    formatters: {
      level: (label) => ({ level: label }),
      bindings: (bindings) => hideSecrets(bindings),
      log: (facts) => hideSecrets(facts, 'err'),
    },
  };
  if (options.logFormat === 'json') return pino(settings, bufferedOutput());
  const toText = readableLines();
  return pino(settings, { write: (line) => process.stdout.write(toText(line)) });
}

/**
 * The standard output, written in the background. It wakes the process only while lines are held: the periodic flush of
 * `pino.destination` hands an empty text to a thread each time. Lines are held as bytes: `pino.destination` measures all
 * text that it holds again with each line, which takes as long as making the line.
 */
function bufferedOutput(): DestinationStream & Pick<ReturnType<typeof pino.destination>, 'flush' | 'flushSync'> {
  const output = pino.destination({ sync: false, minLength: MAX_BUFFERED_BYTES, contentMode: 'buffer' });
  let heldBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const flushLater = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      if (heldBytes <= 0) return;
      // While another write is under way this does nothing, so it is repeated until all is written.
      output.flush();
      flushLater();
    }, MAX_BUFFERED_MS).unref();
  };
  output.on('write', (bytes: number) => (heldBytes -= bytes));
  return {
    write: (line) => {
      const bytes = Buffer.from(line);
      heldBytes += bytes.length;
      output.write(bytes as unknown as string);
      flushLater();
    },
    flush: (written) => output.flush(written),
    flushSync: () => output.flushSync(),
  };
}

/** Loaded where a person reads the log. */
function readableLines(): (line: string) => string {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it for everybody
  const { prettyFactory } = require('pino-pretty') as typeof import('pino-pretty');
  return prettyFactory({ messageKey: 'event', ignore: 'pid', translateTime: 'HH:MM:ss.l' });
}
