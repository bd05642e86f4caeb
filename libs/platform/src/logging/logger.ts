import { pino } from 'pino';
import type { Logger as PinoLogger } from 'pino';

/** Nest injection token of the process's `Logger`. */
export const LOGGER = Symbol('Logger');

/** A structured logger: `logger.info({ messageId, count }, 'message.accepted')`, one line per unit of work. */
export type Logger = PinoLogger;

/** Keys whose values never reach a log, wherever they stand. */
const REDACTED = [
  'access_token',
  'token',
  'deviceToken',
  'authorization',
  'password',
  'secret',
  'privateKey',
  'private_key',
].flatMap((key) => [key, `*.${key}`, `*.*.${key}`]);

/** Makes the process's logger. `app` names the process on every line. */
export function createLogger(app: string, options: { logLevel: string; logFormat: 'json' | 'pretty' }): Logger {
  return pino({
    level: options.logLevel,
    base: { app, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    messageKey: 'event',
    redact: { paths: REDACTED, censor: '***' },
    formatters: { level: (label) => ({ level: label }) },
    ...(options.logFormat === 'pretty'
      ? {
          transport: {
            target: 'pino-pretty',
            options: { messageKey: 'event', ignore: 'pid', translateTime: 'HH:MM:ss.l' },
          },
        }
      : {}),
  });
}
