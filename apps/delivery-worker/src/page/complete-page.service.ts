import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import type { Settlement } from '@postrider/persistence';
import { CLOCK, newId } from '@postrider/platform';
import { MessageCompleter } from './message-completer';
import { TokenHygiene } from '../tokens/token-hygiene';
import { composeSettlement } from './compose-settlement';
import { PageRecorder } from './page-recorder';
import { PageReport } from './page-report';
import type { PageEnd, PageRun } from './page-run';
import { AFTER_DUE_MS, RetryEnqueuer } from './retry-enqueuer';

/**
 * Ends a run: its last outcomes and what is left of it are written in one statement; then its dead tokens are noted (`SwitchOffDeadTokens`
 * decides about them later), its retries enqueued, its message is ended when it is done, and one line is logged.
 */
@Injectable()
export class CompletePageService {
  constructor(
    private readonly recorder: PageRecorder,
    private readonly hygiene: TokenHygiene,
    private readonly completer: MessageCompleter,
    private readonly retries: RetryEnqueuer,
    private readonly report: PageReport,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @param startedAt from `performance.now()` */
  async complete(run: PageRun, startedAt: number): Promise<PageEnd> {
    const settlement = await this.recorder.settle(run, () => composeSettlement(run, this.clock.now(), newId));
    const end = settlement === null ? { kind: 'lost' as const } : this.#endOf(settlement);
    this.report.pageEnded(run, end, startedAt);
    await this.hygiene.pageEnded(run);
    this.completer.pageEnded(run.key);
    if (settlement !== null) await this.retries.enqueue(run, settlement.retries);
    return end;
  }

  #endOf({ remainder, lastCallAt }: Settlement): PageEnd {
    if (remainder === null) return { kind: 'finished' };
    const dueAt = Math.min(remainder.notBefore?.getTime() ?? 0, lastCallAt.getTime());
    return { kind: 'waits', delayMs: Math.max(0, dueAt - this.clock.now().getTime()) + AFTER_DUE_MS };
  }
}
