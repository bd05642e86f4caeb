import { Inject, Injectable } from '@nestjs/common';
import type { Clock, PushVendor } from '@postrider/domain';
import { type PageKey, PagesRepository } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { ClaimPageService } from './claim-page.service';
import type { PageEnd, PageRun } from './page-run';
import { AFTER_DUE_MS } from './retry-enqueuer';
import { PagePacing } from './page-pacing.service';

/** A page whose row somebody held for a moment is tried again after this time. */
const HELD_FOR_A_MOMENT_MS = 50;

/** For a page that is due later than this, the sweeper makes another job in time. */
const LEFT_TO_SWEEPER_MS = 60_000;

/** What a page waits for that is not claimed now. */
type Waits = Extract<PageEnd, { kind: 'waits' }>;

/**
 * Claims pages, those with a rate, a limit or quiet hours after pacing has admitted them. A job that does not get its page
 * comes back when it can have it: the job that the sweeper adds meanwhile is swallowed while this one exists.
 */
@Injectable()
export class ClaimPacedPage {
  constructor(
    private readonly claimPage: ClaimPageService,
    private readonly pacing: PagePacing,
    private readonly pages: PagesRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * @param isAlone whether this process works on nothing else
   * @returns the run; how the page ends when it has to wait; `alone` when it can only be claimed by who works on nothing else;
   * null when there was nothing to claim
   */
  async claim(vendor: PushVendor, key: PageKey, isAlone: boolean): Promise<PageRun | Waits | 'alone' | null> {
    const run = await this.claimPage.claim(vendor, key, isAlone);
    if (run !== null) return run;
    if (!isAlone && (await this.claimPage.isWorkedAlone(key))) return 'alone';
    const decision = await this.pacing.admit(key);
    if (decision.kind === 'waits') return decision;
    const claimed = decision.kind === 'admitted' ? await this.claimPage.claim(vendor, key, isAlone) : null;
    return claimed ?? this.#waitFor(key);
  }

  async #waitFor(key: PageKey): Promise<Waits | null> {
    const now = this.clock.now();
    const dueAt = await this.pages.findDueAt(key, now);
    if (dueAt === null) return null;
    const delayMs = Math.max(HELD_FOR_A_MOMENT_MS, dueAt.getTime() - now.getTime() + AFTER_DUE_MS);
    return delayMs > LEFT_TO_SWEEPER_MS ? null : { kind: 'waits', delayMs };
  }
}
