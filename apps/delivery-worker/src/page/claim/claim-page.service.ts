import { Inject, Injectable } from '@nestjs/common';
import { type DeviceId, type Clock, MINUTE_MS, type PushVendor } from '@postrider/domain';
import { type ClaimedPage, type PageKey, PagesRepository, PARKED_AFTER_LOSSES } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import type { Route } from '../../route/route';
import { RoutesService } from '../../route/routes.service';
import { AFTER_DUE_MS, type PageEnd, PageRun } from '../run/page-run';
import { ClaimBatches } from './claim-batches';
import { PageLeases } from './page-leases';
import { PagePacing } from './page-pacing.service';
import { PageTimes } from '../run/page-times';

/** A page whose row was locked for a moment is tried again after this time. */
const HELD_FOR_A_MOMENT_MS = 50;

/** A page that this worker has in hand itself is asked for again after this time. */
const IN_HAND_MS = 1_000;

/** If a page is due later than this, recovery makes another job in time. */
const LEFT_TO_RECOVERY_MS = MINUTE_MS;

/** The end of a page that is not claimed now. */
type Waits = Extract<PageEnd, { kind: 'waits' }>;

/**
 * Claims a page for this worker, with a lease that is renewed from then on, and prepares the page for sending. Pages
 * with a rate, a limit or quiet hours are claimed after pacing has admitted them. A job that does not get its page is
 * delayed until it can: BullMQ ignores the job that recovery adds meanwhile, because it has the same id.
 */
@Injectable()
export class ClaimPageService {
  readonly #batches: ClaimBatches;

  constructor(
    private readonly pages: PagesRepository,
    private readonly pacing: PagePacing,
    @Inject(CONFIG) private readonly config: Pick<Config, 'instanceId' | 'retryTimeScale'>,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly routes: RoutesService,
    private readonly leases: PageLeases,
  ) {
    this.#batches = new ClaimBatches(pages, config, clock, leases);
  }

  /** Like `claim`, for a small page: claims it together with other pages that are claimed at the same moment. */
  async claimInBatch(vendor: PushVendor, key: PageKey): ReturnType<ClaimPageService['claim']> {
    const { appId, messageId, pageId } = key;
    if (this.leases.isInHand(key)) return { kind: 'waits', delayMs: IN_HAND_MS };
    const route = await this.routes.open(appId, vendor);
    const found = await this.#batches.claim({ appId, messageId, pageId });
    if (found === 'over') return null;
    if (found === 'ask') return this.claim(vendor, key, false);
    return this.#withNewTime(this.#begin({ appId, messageId, pageId }, found, route));
  }

  /**
   * @param isAlone true if this process has no other page, and takes none until this one has ended
   * @returns the run (already stopped if nothing is sent now because the message was cancelled or has expired or the
   * route is held; already at its end if the page has lost too many workers); how the page ends if it has to wait, also
   * for this worker, which has it in hand;
   * `alone` if only a worker that has no other page can claim it; null if there was nothing to claim
   */
  async claim(vendor: PushVendor, key: PageKey, isAlone: boolean): Promise<PageRun | Waits | 'alone' | null> {
    if (this.leases.isInHand(key)) return { kind: 'waits', delayMs: IN_HAND_MS };
    const run = await this.#claim(vendor, key, isAlone);
    if (run !== null) return this.#withNewTime(run);
    if (!isAlone && (await this.pages.isWorkedAlone(key, this.clock.now()))) return 'alone';
    const decision = await this.pacing.admit(key);
    if (decision.kind === 'waits') return decision;
    const claimed = decision.kind === 'admitted' ? await this.#claim(vendor, key, isAlone) : null;
    if (claimed === null || decision.kind === 'none') return this.#waitFor(key);
    const { time } = decision;
    if (time !== null) claimed.times = new PageTimes(this.pacing, claimed, time);
    return claimed;
  }

  /**
   * Gives a steered page that was claimed at once a new time, unless nothing of it is sent: another job had it
   * admitted, and only that job knows its time.
   */
  #withNewTime(run: PageRun): PageRun {
    if (run.page.isSteered === true && !run.isOver) run.times = new PageTimes(this.pacing, run, null);
    return run;
  }

  async #claim(vendor: PushVendor, { appId, messageId, pageId }: PageKey, isAlone: boolean): Promise<PageRun | null> {
    const key = { appId, messageId, pageId };
    const route = await this.routes.open(appId, vendor);
    const now = this.clock.now();
    const leaseUntil = this.leases.leaseUntil();
    const claim = { leasedBy: this.config.instanceId, now, leaseUntil, isAlone };
    const page = await this.pages.claim(key, claim).catch(async (error: unknown) => {
      await this.leases.claimFailed([key], leaseUntil);
      throw error;
    });
    return page === null ? null : this.#begin(key, page, route);
  }

  #begin(key: PageKey, page: ClaimedPage, route: Route): PageRun {
    const policy = { timeScale: this.config.retryTimeScale, random: Math.random };
    const connectionDeviceIds = connectionDevicesOf(page);
    const run = new PageRun({ ...key, fence: page.fence, connectionDeviceIds }, page, route, policy);
    const now = this.clock.now().getTime();
    this.leases.keep(run);
    run.begin(now);
    if (page.losses >= PARKED_AFTER_LOSSES) run.park(now);
    if (route.breaker.isHolding) run.stop('held');
    return run;
  }

  async #waitFor(key: PageKey): Promise<Waits | null> {
    const now = this.clock.now();
    const dueAt = await this.pages.findDueAt(key, now);
    if (dueAt === null) return null;
    const delayMs = Math.max(HELD_FOR_A_MOMENT_MS, dueAt.getTime() - now.getTime() + AFTER_DUE_MS);
    return delayMs > LEFT_TO_RECOVERY_MS ? null : { kind: 'waits', delayMs };
  }
}

/**
 * Returns the devices that use the connection: a message to a push service is also kept in their inbox, except one of
 * notifyUsers.
 */
function connectionDevicesOf({ kind, devices }: ClaimedPage): DeviceId[] {
  return kind === 'notify' ? [] : devices.flatMap(({ id, usesConnection }) => (usesConnection ? [id] : []));
}
