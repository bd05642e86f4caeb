import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { type LeasedPage, type PageKey, PagesRepository, type UnknownClaim } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, LOGGER, type Logger, RepeatedWarning } from '@postrider/platform';
import type { PageRun } from '../run/page-run';
import { RunsInHand } from '../run/runs-in-hand';

/** A page stays with a worker that does not renew its lease for this long; then another worker continues the page. */
export const LEASE_MS = 10_000;
/** Three renewals may fail before a lease ends. */
const RENEW_EVERY_MS = 2_500;
/** Retry interval while PostgreSQL is down: the first worker to renew keeps the page. */
const RETRY_EVERY_MS = 250;

/** If no renewal has succeeded for this long, leases may be over before the next one does: PostgreSQL is away, slow or busy. */
const RENEWED_WITHIN_MS = 2 * RENEW_EVERY_MS;

const REPORT_AGAIN_AFTER_MS = 1_000;
/** More pages than a worker ever has in hand. */
const MOST_REPORTS_KEPT = 10_000;

/**
 * Renews the leases of all pages of this worker with one statement, from their claim until their end is written, so
 * that a slow vendor does not cost a page. A page that another worker has claimed meanwhile is stopped as `lost`.
 */
@Injectable()
export class PageLeases {
  readonly #runs = new RunsInHand();
  readonly #reported = new WeakSet<PageRun>();
  readonly #endedLeases: EndedLeases;
  readonly #renewalDelayed: RepeatedWarning;
  /**
   * Leases of pages in hand were made or renewed at this time or later: milliseconds since 1970. -Infinity: the last renewal failed,
   * so that they may have ended.
   */
  #renewedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly pages: PagesRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) logger: Logger,
    @Inject(CONFIG) private readonly config: Pick<Config, 'instanceId'>,
  ) {
    this.#endedLeases = new EndedLeases(pages, logger, config.instanceId);
    this.#renewalDelayed = new RepeatedWarning(logger, 'leases.renewal-delayed');
  }

  /** Returns when the lease of a page that is claimed now ends. */
  leaseUntil(): Date {
    return new Date(this.clock.now().getTime() + LEASE_MS);
  }

  /** Adds a page that was just claimed. */
  keep(run: PageRun): void {
    if (this.#runs.size === 0) this.#renewedAt = this.#now();
    this.#runs.add(run);
    this.#timer ??= setTimeout(() => void this.#renewRegularly(), RENEW_EVERY_MS).unref();
  }

  /**
   * True if this worker has the page in hand although its lease may have ended: its outcomes are recorded when PostgreSQL
   * accepts them. A claim by this worker itself would lose them, and send to the same devices again.
   */
  isInHand({ pageId }: PageKey): boolean {
    if (this.#now() - this.#renewedAt < RENEWED_WITHIN_MS) return false;
    return [...this.#runs].some((run) => run.key.pageId === pageId && run.stopCause !== 'lost');
  }

  /** Drops a page whose end is written. */
  release(run: PageRun): void {
    this.#runs.delete(run);
    if (this.#runs.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Records once, in the page's row, that its lease ended without a result although no worker was lost. Never rejects. */
  async endedWithoutResult(run: PageRun): Promise<void> {
    if (this.#reported.has(run)) return;
    this.#reported.add(run);
    await this.#endedLeases.add(run.key);
  }

  /**
   * Gives back pages whose claim failed: it may have been recorded, and this worker does not have them in hand. Never
   * rejects.
   * @param leaseUntil as in the claim
   */
  async claimFailed(pages: readonly PageKey[], leaseUntil: Date): Promise<void> {
    await this.#endedLeases.addUnknown(pages.map((page) => ({ ...page, leaseUntil })));
  }

  /** Renews all leases now. Never rejects. @returns true if PostgreSQL accepted the renewal */
  async renew(): Promise<boolean> {
    const runs = [...this.#runs];
    if (runs.length === 0) return true;
    const begunAt = this.#now();
    try {
      const keys = runs.map(({ key }) => key);
      const kept = await this.pages.renewLeases(keys, {
        leasedBy: this.config.instanceId,
        leaseUntil: this.leaseUntil(),
      });
      for (const run of runs.filter((one) => !kept.has(one.key.pageId) && !one.isOver)) {
        run.stop('lost');
        void this.endedWithoutResult(run);
      }
      this.#renewedAt = begunAt;
      return true;
    } catch (error) {
      this.#renewedAt = -Infinity;
      this.#renewalDelayed.log({ pages: runs.length, err: error });
      return false;
    }
  }

  #now(): number {
    return this.clock.now().getTime();
  }

  async #renewRegularly(): Promise<void> {
    const isRenewed = await this.renew();
    this.#timer = undefined;
    if (this.#runs.size === 0) return;
    this.#timer = setTimeout(() => void this.#renewRegularly(), isRenewed ? RENEW_EVERY_MS : RETRY_EVERY_MS).unref();
  }
}

/**
 * Leases of this worker that ended without a result while it is alive: PostgreSQL was away, or a page failed. As soon
 * as PostgreSQL is back, the ledger records that no worker was lost over them.
 */
class EndedLeases {
  #pages: LeasedPage[] = [];
  #unknown: UnknownClaim[] = [];
  #timer: NodeJS.Timeout | undefined;
  readonly #reportDelayed: RepeatedWarning;

  constructor(
    private readonly pages: PagesRepository,
    logger: Logger,
    private readonly leasedBy: string,
  ) {
    this.#reportDelayed = new RepeatedWarning(logger, 'leases.excuse-delayed');
  }

  /** Reports one page, now or later. Never rejects. */
  async add(page: LeasedPage): Promise<void> {
    if (this.#pages.length < MOST_REPORTS_KEPT) this.#pages.push(page);
    if (this.#timer === undefined) await this.#report();
  }

  /** Reports claims that may have been recorded, now or later. Never rejects. */
  async addUnknown(claims: readonly UnknownClaim[]): Promise<void> {
    if (this.#unknown.length < MOST_REPORTS_KEPT) this.#unknown.push(...claims);
    if (this.#timer === undefined) await this.#report();
  }

  async #report(): Promise<void> {
    const [ended, unknown] = [this.#pages.splice(0), this.#unknown.splice(0)];
    this.#timer = undefined;
    try {
      if (unknown.length > 0) await this.pages.giveBackUnknown(unknown, this.leasedBy);
      if (ended.length > 0) await this.pages.undoLosses(ended, this.leasedBy);
    } catch (error) {
      this.#reportDelayed.log({ pages: ended.length + unknown.length, err: error });
      this.#pages.unshift(...ended);
      this.#unknown.unshift(...unknown);
      this.#timer ??= setTimeout(() => void this.#report(), REPORT_AGAIN_AFTER_MS).unref();
    }
  }
}
