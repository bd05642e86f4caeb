import { Injectable } from '@nestjs/common';
import type { DeliveryVendor, Lane } from '@postrider/domain';
import type { PageKey } from '@postrider/persistence';
import { ClaimAtGate } from '../pacing/claim-at-gate.service';
import { CampaignTurns } from './campaign-turns';
import { EndPageService } from './end-page.service';
import { LeaseKeeper } from './lease-keeper';
import type { PageEnd } from './page-end';
import { PageRun } from './page-run';
import { PagesInHand } from './pages-in-hand';
import { PersonalPages } from './personal-pages';

/** A page whose route is slow comes again after this time. */
const SLOW_ROUTE_MS = 2_000;

/**
 * Tries one page with its vendor: claims it, sends to each of its devices that has no outcome yet, records what came of it.
 * Safe to run at any time and any number of times: whoever does not get the page does nothing, and a page begun by a worker
 * that died repeats only the devices that were in flight there.
 */
@Injectable()
export class AttemptPageService {
  constructor(
    private readonly turns: CampaignTurns,
    private readonly claims: ClaimAtGate,
    private readonly personal: PersonalPages,
    private readonly inHand: PagesInHand,
    private readonly endPage: EndPageService,
    private readonly leases: LeaseKeeper,
  ) {}

  /** @returns how the page ended, or null when nothing is left to claim */
  async attempt(vendor: DeliveryVendor, page: PageKey & { lane: Lane }): Promise<PageEnd | null> {
    if (page.lane !== 'campaign') return this.#attempt(vendor, page);
    const route = `${vendor} ${page.appId}`;
    if (!(await this.turns.take(route))) return { kind: 'waits', delayMs: SLOW_ROUTE_MS };
    try {
      return await this.#attempt(vendor, page);
    } finally {
      this.turns.give(route);
    }
  }

  async #attempt(vendor: DeliveryVendor, key: PageKey): Promise<PageEnd | null> {
    const startedAt = performance.now();
    const run = await this.claims.claim(vendor, key);
    if (!(run instanceof PageRun)) return run;
    try {
      await this.personal.prepare(run);
      await this.inHand.work(run);
      return await this.endPage.end(run, startedAt);
    } finally {
      this.leases.release(run);
    }
  }
}
