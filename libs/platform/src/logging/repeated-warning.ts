import type { Logger } from './logger';

const ONE_EACH_MS = 60_000;

/**
 * A warning about something that is tried again and again, for each of many things at a time, until it succeeds. One a
 * minute is logged as `warn`, so that an outage does not fill the log. All others are logged as `debug`.
 */
export class RepeatedWarning {
  #warnedAt = -Infinity;

  /** @param now the milliseconds of a clock that never jumps */
  constructor(
    private readonly logger: Logger,
    private readonly event: string,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Logs the warning, at level `debug` if it was logged shortly before. */
  log(facts: object): void {
    const now = this.now();
    if (now - this.#warnedAt < ONE_EACH_MS) {
      this.logger.debug(facts, this.event);
      return;
    }
    this.#warnedAt = now;
    this.logger.warn(facts, this.event);
  }
}
