import { Injectable } from '@nestjs/common';
import type { DeliveryVendor } from '@postrider/domain';
import type { PageKey } from '@postrider/persistence';
import { ClaimPageService } from '../pages/claim-page.service';
import type { PageEnd } from '../pages/page-end';
import type { PageRun } from '../pages/page-run';
import { Gate } from './gate.service';

/** Claims pages, those that are steered with leave of the gate. For all others it asks nobody. */
@Injectable()
export class ClaimAtGate {
  constructor(
    private readonly claimPage: ClaimPageService,
    private readonly gate: Gate,
  ) {}

  /** @returns the run; how the page ends when it has to wait; null when there was nothing to claim */
  async claim(vendor: DeliveryVendor, key: PageKey): Promise<PageRun | Extract<PageEnd, { kind: 'waits' }> | null> {
    const run = await this.claimPage.claim(vendor, key);
    if (run !== null) return run;
    const verdict = await this.gate.pass(key);
    if (verdict.kind === 'waits') return verdict;
    return verdict.kind === 'passed' ? this.claimPage.claim(vendor, key) : null;
  }
}
