import { pino, stdSerializers } from 'pino';
import type { LoggerOptions, Logger as PinoLogger } from 'pino';
import { BufferedOutput } from './buffered-output';
import { hideData, hideSecrets } from './hide-secrets';

/** Nest injection token of the process's `Logger`. */
export const LOGGER = Symbol('Logger');

/** A structured logger: `logger.info({ messageId, count }, 'message.accepted')`, one line per unit of work. */
export type Logger = PinoLogger;

/** The descriptor of the standard output. */
const STANDARD_OUTPUT = 1;

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
  if (options.logFormat === 'json') {
    const output = new BufferedOutput(STANDARD_OUTPUT, (lines) => logger.warn({ lines }, 'log.dropped'));
    const logger = pino(settings, output);
    return logger;
  }
  const toText = readableLines();
  return pino(settings, { write: (line) => process.stdout.write(toText(line)) });
}

/** Loaded where a person reads the log. */
function readableLines(): (line: string) => string {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it for everybody
  const { prettyFactory } = require('pino-pretty') as typeof import('pino-pretty');
  return prettyFactory({ messageKey: 'event', ignore: 'pid', translateTime: 'HH:MM:ss.l' });
}
