import type { Clock } from '@postrider/domain';
import { type Database, renewLeases } from '@postrider/persistence';
import type { Logger } from '@postrider/platform';
import { ExcusedLeases } from './excused-leases';
import type { PageRun } from './page-run';

/** How long a page is its worker's own without a sign of life: a killed worker's pages go on after this. */
export const LEASE_MS = 10_000;
/** Three signs of life may fail before a lease ends. */
const RENEW_EVERY_MS = 2_500;
/** While PostgreSQL is away it is asked this often: whoever comes first when it is back keeps the page. */
const RETRY_EVERY_MS = 250;

/** What keeps leases alive. */
export interface LeaseKeeperServices {
  database: Database;
  clock: Clock;
  logger: Logger;
  /** Whose leases. */
  leasedBy: string;
}

/**
 * Renews the leases of all pages in hand with one statement, from their claim until their end is written, so that a slow vendor
 * costs no page. A page that somebody else claimed meanwhile is stopped as `lost`.
 */
export class LeaseKeeper {
  readonly #runs = new Set<PageRun>();
  readonly #excused = new WeakSet<PageRun>();
  readonly #excuses: ExcusedLeases;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly services: LeaseKeeperServices) {
    this.#excuses = new ExcusedLeases(services);
  }

  /** Until when a page that is claimed now is its worker's. */
  leaseUntil(): Date {
    return new Date(this.services.clock.now().getTime() + LEASE_MS);
  }

  /** Takes a page that was just claimed. */
  keep(run: PageRun): void {
    this.#runs.add(run);
    this.#timer ??= setTimeout(() => void this.#beat(), RENEW_EVERY_MS).unref();
  }

  /** Lets go of a page whose end is written. */
  release(run: PageRun): void {
    this.#runs.delete(run);
    if (this.#runs.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** A page's lease ended, or ends, without a result: the ledger hears, once, that no worker was lost. Never rejects. */
  async excuse(run: PageRun): Promise<void> {
    if (this.#excused.has(run)) return;
    this.#excused.add(run);
    await this.#excuses.add(run.key);
  }

  /** Renews all leases now. Never rejects. @returns whether PostgreSQL took it */
  async renew(): Promise<boolean> {
    const runs = [...this.#runs];
    if (runs.length === 0) return true;
    const { database, leasedBy, logger } = this.services;
    try {
      const keys = runs.map(({ key }) => key);
      const kept = await renewLeases(database, keys, { leasedBy, leaseUntil: this.leaseUntil() });
      for (const run of runs.filter((one) => !kept.has(one.key.pageId) && !one.isOver)) {
        run.stop('lost');
        void this.excuse(run);
      }
      return true;
    } catch (error) {
      logger.warn({ pages: runs.length, err: error }, 'leases.renewal-delayed');
      return false;
    }
  }

  async #beat(): Promise<void> {
    const isRenewed = await this.renew();
    this.#timer = undefined;
    if (this.#runs.size === 0) return;
    this.#timer = setTimeout(() => void this.#beat(), isRenewed ? RENEW_EVERY_MS : RETRY_EVERY_MS).unref();
  }
}
