import { type Logger, RepeatedWarning } from '@postrider/platform';
import { isDatabaseUnavailable } from './is-database-unavailable';

/**
 * A warning about something that fails for each of many things at a time while PostgreSQL is away, and is tried again: an outage
 * is one line a minute with its reason. Any other error is a line each time, in full.
 */
export class OutageWarning {
  readonly #outage: RepeatedWarning;

  constructor(
    private readonly logger: Logger,
    private readonly event: string,
  ) {
    this.#outage = new RepeatedWarning(logger, event);
  }

  log(error: unknown): void {
    if (isDatabaseUnavailable(error)) this.#outage.log({ reason: (error as Error).message });
    else this.logger.warn({ err: error }, this.event);
  }
}
