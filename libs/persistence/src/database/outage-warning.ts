import { describeFailure, type Logger, type OutageLog, RepeatedWarning } from '@postrider/platform';
import { isDatabaseUnavailable } from './is-database-unavailable';
import { QUERY_CANCELLED, sqlState } from './sql-state';

/**
 * A warning about something that fails for each of many things at a time while PostgreSQL is away, and is tried again: an outage
 * is one line a minute with its reason. Any other error is a line each time, in full, and so is a statement that took too long: only
 * its own line says which one.
 */
export class OutageWarning implements OutageLog {
  readonly #outage: RepeatedWarning;

  constructor(
    private readonly logger: Logger,
    private readonly event: string,
  ) {
    this.#outage = new RepeatedWarning(logger, event);
  }

  /** @param facts what failed */
  log(error: unknown, facts: object = {}): void {
    if (!this.logOutage(error, facts)) this.logger.warn({ ...facts, err: error }, this.event);
  }

  logOutage(error: unknown, facts: object): boolean {
    if (!isDatabaseUnavailable(error) || sqlState(error) === QUERY_CANCELLED) return false;
    this.#outage.log({ ...facts, reason: describeFailure(error) });
    return true;
  }
}
