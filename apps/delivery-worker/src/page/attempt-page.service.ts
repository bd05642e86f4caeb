import { Injectable } from '@nestjs/common';
import type { PushVendor, Lane } from '@postrider/domain';
import type { PageKey } from '@postrider/persistence';
import { ClaimPageService } from './claim/claim-page.service';
import { SharedExclusiveLock } from './claim/shared-exclusive-lock';
import { PagesInHand } from './claim/pages-in-hand';
import { CompletePageService } from './complete/complete-page.service';
import { PageLeases } from './claim/page-leases';
import { type PageEnd, PageRun } from './run/page-run';
import { RunSupervisor } from './run-supervisor';
import { RenderPageService } from './render/render-page.service';

/** A page that is to be worked alone waits this long for the others to end by themselves. */
const OTHERS_END_WITHIN_MS = 5_000;
/** The longest time that a page is processed alone without a break; other pages wait meanwhile. */
const LONGEST_ALONE_MS = 10_000;

/**
 * Tries one page with its vendor: claims it, sends to each of its devices that has no outcome yet, and records the
 * results. It is safe to run at any time and any number of times: a worker that does not get the page does nothing.
 * After a worker has died, the next one repeats only the devices that were in flight or whose outcome was not recorded
 * yet.
 */
@Injectable()
export class AttemptPageService {
  readonly #lock = new SharedExclusiveLock();

  constructor(
    private readonly inHand: PagesInHand,
    private readonly claims: ClaimPageService,
    private readonly rendering: RenderPageService,
    private readonly supervisor: RunSupervisor,
    private readonly completion: CompletePageService,
    private readonly leases: PageLeases,
  ) {}

  /**
   * Tries a page when the worker has room for it.
   *
   * @returns how the page ended, or null when nothing is left to claim; if its job is to make room, when it asks again
   */
  attempt(vendor: PushVendor, page: PageKey & { lane: Lane }): Promise<PageEnd | null> {
    return page.lane === 'campaign'
      ? this.inHand.ofCampaign(vendor, page, () =>
          this.#attempt(vendor, page, () => this.claims.claim(vendor, page, false)),
        )
      : this.inHand.ofNamedUsers(vendor, page, () =>
          this.#attempt(vendor, page, () => this.claims.claimInBatch(vendor, page)),
        );
  }

  async #attempt(
    vendor: PushVendor,
    key: PageKey,
    claim: () => ReturnType<ClaimPageService['claim']>,
  ): Promise<PageEnd | null> {
    const startedAt = performance.now();
    const end = await this.#lock.shared(async () => {
      const run = await claim();
      return run instanceof PageRun ? this.#work(run, startedAt) : run;
    });
    return end === 'alone' ? this.#attemptAlone(vendor, key) : end;
  }

  /** Processes the page alone, because two workers died while they had it. This shows whether the page is the cause. */
  async #attemptAlone(vendor: PushVendor, key: PageKey): Promise<PageEnd | null> {
    const othersEnd = setTimeout(() => this.supervisor.stopAll(), OTHERS_END_WITHIN_MS).unref();
    return this.#lock.exclusive(async () => {
      clearTimeout(othersEnd);
      const run = await this.claims.claim(vendor, key, true);
      if (!(run instanceof PageRun)) return run === 'alone' ? null : run;
      const enough = setTimeout(() => run.stop('stopping'), LONGEST_ALONE_MS).unref();
      return this.#work(run, performance.now()).finally(() => clearTimeout(enough));
    });
  }

  async #work(run: PageRun, startedAt: number): Promise<PageEnd> {
    let end: PageEnd = { kind: 'lost' };
    this.completion.begun(run);
    try {
      await this.rendering.render(run);
      await this.supervisor.run(run);
      end = await this.completion.complete(run, startedAt);
    } finally {
      this.leases.release(run);
      this.completion.over(run);
      // This worker is alive: even if the lease has ended, the page did not kill a worker.
      if (end.kind === 'lost') await this.leases.endedWithoutResult(run);
    }
    return end;
  }
}
