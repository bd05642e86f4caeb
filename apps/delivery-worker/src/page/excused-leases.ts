import { type Database, excuseLeases, type HeldPage } from '@postrider/persistence';
import type { Logger } from '@postrider/platform';

const RETRY_MS = 1_000;
/** More than a worker ever has in hand. */
const MOST_KEPT = 10_000;

/**
 * Leases of this worker that ended without a result while it is alive: PostgreSQL was away, or something went wrong with a page.
 * The ledger is told, when PostgreSQL takes it, that no worker was lost over them.
 */
export class ExcusedLeases {
  #pages: HeldPage[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly services: { database: Database; logger: Logger; leasedBy: string }) {}

  /** Tells of one page, now or later. Never rejects. */
  async add(page: HeldPage): Promise<void> {
    if (this.#pages.length < MOST_KEPT) this.#pages.push(page);
    if (this.#timer === undefined) await this.#tell();
  }

  async #tell(): Promise<void> {
    const { database, logger, leasedBy } = this.services;
    const pages = this.#pages.splice(0);
    this.#timer = undefined;
    if (pages.length === 0) return;
    try {
      await excuseLeases(database, pages, leasedBy);
    } catch (error) {
      logger.warn({ pages: pages.length, err: error }, 'leases.excuse-delayed');
      this.#pages.unshift(...pages);
      this.#timer ??= setTimeout(() => void this.#tell(), RETRY_MS).unref();
    }
  }
}
