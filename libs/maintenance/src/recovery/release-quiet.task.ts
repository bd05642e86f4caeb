import { Inject, Injectable } from '@nestjs/common';
import { type Clock, MINUTE_MS } from '@postrider/domain';
import { LOCK_IDS, type QuietChange, QuietChangesRepository, QUIET_CHANGES, type Sql } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import { type MaintenanceTask, ROWS_AT_ONCE } from '../registry/maintenance-task';

/** A transaction that put a page off by the former quiet hours is over by then. */
const SETTLED_AFTER_MS = MINUTE_MS;

/**
 * Releases deliveries and fallback SMS that wait for the end of quiet hours, after the operator has changed the quiet hours,
 * so that they are checked by the new ones. What waited when they changed is released at once, and what a worker put off at
 * that moment a minute later. Runs every second (`SWEEP_INTERVAL_MS`).
 */
@Injectable()
export class ReleaseQuiet implements MaintenanceTask {
  readonly name = 'release-quiet';
  readonly intervalMs: number;
  readonly lock = LOCK_IDS.releaseQuiet;

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly changes: QuietChangesRepository,
    @Inject(CONFIG) { sweepIntervalMs }: Pick<Config, 'sweepIntervalMs'>,
  ) {
    this.intervalMs = sweepIntervalMs;
  }

  due(): Sql {
    return QUIET_CHANGES;
  }

  async run(): Promise<boolean> {
    let hasMore = false;
    for (const change of await this.changes.find()) hasMore = (await this.#release(change)) || hasMore;
    return hasMore;
  }

  /** @returns true if there is more to release at once */
  async #release(change: QuietChange): Promise<boolean> {
    const { appId, changedAt } = change;
    const now = this.clock.now();
    const settledAt = new Date(changedAt.getTime() + SETTLED_AFTER_MS);
    const isSettled = now >= settledAt;
    // What was put off by the new quiet hours is not released again and again.
    const wait = { appId, since: isSettled ? settledAt : changedAt };
    const released = { at: now, limit: ROWS_AT_ONCE };
    const pages = await this.changes.releasePages(wait, released);
    const fallbacks = await this.changes.releaseFallbacks(wait, released);
    if (isSettled && pages.found + fallbacks === 0) await this.changes.forget(change);
    return pages.released === ROWS_AT_ONCE || fallbacks === ROWS_AT_ONCE;
  }
}
