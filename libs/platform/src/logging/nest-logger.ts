import type { LoggerService } from '@nestjs/common';
import type { Logger } from './logger';

/** Writes Nest's own lines with the process's structured logger. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }

  warn(message: unknown, context?: string): void {
    this.logger.warn({ context }, String(message));
  }

  /**
   * Logs an error, but none from Nest's `ExceptionHandler`: an error that stops a start is thrown on to
   * `bootProcess`, which logs it once.
   */
  error(message: unknown, stack?: string, context?: string): void {
    if (stack === 'ExceptionHandler' || context === 'ExceptionHandler') return;
    this.logger.error({ context, stack }, String(message));
  }
}
