import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import {
  DATABASE,
  type Database,
  deleteExpiredLinks,
  deleteOldFallbacks,
  deleteOldHandovers,
  deleteOldIdempotencyKeys,
  deleteOldLinkOpens,
  deleteOldVisitors,
  deleteOldQuarantines,
  deleteOldPaces,
  deleteOldWebhookEvents,
  dropOldPartitions,
  ensurePartitions,
  withAdvisoryLock,
} from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, LOGGER, type Logger, Shutdown } from '@postrider/platform';
import { repeat } from '../recurring/repeat';

/** Any number that no other lock of this database has. */
const UPKEEP_LOCK = 7_276_334;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Rows that one statement deletes: a statement that holds up nobody. */
const DELETE_LIMIT = 1_000;

/** Keeps the ledger in days: makes the days to come, drops those past `RETENTION_DAYS`, deletes old fallbacks and idempotency keys. */
@Injectable()
export class Upkeep implements OnApplicationBootstrap, OnModuleDestroy {
  #running: Promise<void> | undefined;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly shutdown: Shutdown,
  ) {}

  onApplicationBootstrap(): void {
    const turn = async (): Promise<boolean> => {
      await withAdvisoryLock(this.database, UPKEEP_LOCK, () => this.keepUp());
      return false;
    };
    const { signal } = this.shutdown;
    this.#running = repeat({ name: 'upkeep', intervalMs: HOUR_MS, turn, signal, logger: this.logger });
  }

  async onModuleDestroy(): Promise<void> {
    if (this.shutdown.isShuttingDown) await this.#running;
  }

  /** Does all of it once. Safe to repeat, and to run from several processes at once. */
  async keepUp(): Promise<void> {
    const now = this.clock.now();
    const made = await ensurePartitions(this.database, now);
    const retainedSince = new Date(now.getTime() - this.config.retentionDays * DAY_MS);
    const dropped = await dropOldPartitions(this.database, retainedSince);
    const fallbacks = await this.#deleteAll(deleteOldFallbacks, retainedSince);
    const webhookEvents = await this.#deleteAll(deleteOldWebhookEvents, retainedSince);
    await this.#deleteAll(deleteOldPaces, new Date(now.getTime() - DAY_MS));
    const quarantined = await this.#deleteAll(deleteOldQuarantines, retainedSince);
    await this.#deleteAll(deleteExpiredLinks, now);
    await this.#deleteAll(deleteOldVisitors, new Date(now.getTime() - DAY_MS));
    await this.#deleteAll(deleteOldHandovers, retainedSince);
    await this.#deleteAll(deleteOldLinkOpens, retainedSince);
    const keys = await this.#deleteAll(deleteOldIdempotencyKeys, new Date(now.getTime() - DAY_MS));
    this.logger.info({ made, dropped, fallbacks, webhookEvents, quarantined, idempotencyKeys: keys }, 'ledger.kept');
  }

  /** Deletes what is older than `before`, in statements that each take a bounded number of rows. */
  async #deleteAll(deleteSome: typeof deleteOldFallbacks, before: Date): Promise<number> {
    let deleted = 0;
    while (!this.shutdown.isShuttingDown) {
      const some = await deleteSome(this.database, before, DELETE_LIMIT);
      deleted += some;
      if (some < DELETE_LIMIT) break;
    }
    return deleted;
  }
}
