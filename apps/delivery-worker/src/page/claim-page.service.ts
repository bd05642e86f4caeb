import { Inject, Injectable } from '@nestjs/common';
import type { Clock, PushVendor } from '@postrider/domain';
import { type ClaimedPage, type PageKey, PagesRepository, PARKED_AFTER_LOSSES } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import { Renderers } from './renderers';
import type { Route } from '../route/route';
import { RoutesService } from '../route/routes.service';
import { LeaseKeeper } from './lease-keeper';
import { PageRun } from './page-run';

/** Makes a page this worker's own, with a lease that is kept alive from then on, and gets it ready to be sent. */
@Injectable()
export class ClaimPageService {
  constructor(
    private readonly pages: PagesRepository,
    @Inject(CONFIG) private readonly config: Pick<Config, 'instanceId' | 'retryTimeScale'>,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly routes: RoutesService,
    private readonly renderers: Renderers,
    private readonly leases: LeaseKeeper,
  ) {}

  /**
   * @param isAlone whether this process has no other page in hand, nor takes one until this one has ended
   * @returns the run, already stopped when nothing is to be sent now (cancelled, expired, its route held), and at its end when
   * the page has lost too many workers; null when there was nothing to claim
   */
  async claim(vendor: PushVendor, { appId, messageId, pageId }: PageKey, isAlone: boolean): Promise<PageRun | null> {
    const key = { appId, messageId, pageId };
    const route = await this.routes.open(appId, vendor);
    const now = this.clock.now();
    const leaseUntil = this.leases.leaseUntil();
    const page = await this.pages.claim(key, { leasedBy: this.config.instanceId, now, leaseUntil, isAlone });
    return page === null ? null : this.#begin(key, page, route);
  }

  /** Whether a page that could not be claimed can be claimed by who is alone. */
  isWorkedAlone(page: PageKey): Promise<boolean> {
    return this.pages.isWorkedAlone(page, this.clock.now());
  }

  #begin(key: PageKey, page: ClaimedPage, route: Route): PageRun {
    const policy = { timeScale: this.config.retryTimeScale, random: Math.random };
    const payloads = this.renderers.payloadsOf(key, page);
    const run = new PageRun(
      { ...key, fence: page.fence, inboxDeviceIds: inboxDevicesOf(page) },
      page,
      route,
      policy,
      payloads,
    );
    const now = this.clock.now().getTime();
    this.leases.keep(run);
    run.begin(now);
    if (page.losses >= PARKED_AFTER_LOSSES) run.park(now);
    if (route.breaker.isHolding(now)) run.stop('held');
    return run;
  }
}

/** What goes to a push service is kept for the app to open as well, except of notifyUsers. */
function inboxDevicesOf({ kind, devices }: ClaimedPage): number[] {
  return kind === 'notify' ? [] : devices.flatMap(({ id, usesConnection }) => (usesConnection ? [id] : []));
}
