import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { CampaignTestsRepository, LOCK_IDS } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import type { MaintenanceTask } from '../registry/maintenance-task';
import { ChooseWinner } from './choose-winner.service';

/** Counting a large campaign takes seconds. */
const CAMPAIGNS_AT_ONCE = 10;

/**
 * Campaigns whose time has come to choose the best of their variants: those who waited for it are sent to from then on. Every second
 * (`SWEEP_INTERVAL_MS`). A worker that dies over it has chosen nothing, and the next one chooses.
 */
@Injectable()
export class ChooseWinners implements MaintenanceTask {
  readonly name = 'choose-winners';
  readonly intervalMs: number;
  readonly lock = LOCK_IDS.chooseWinners;

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly tests: CampaignTestsRepository,
    private readonly winner: ChooseWinner,
    @Inject(CONFIG) { sweepIntervalMs }: Pick<Config, 'sweepIntervalMs'>,
  ) {
    this.intervalMs = sweepIntervalMs;
  }

  async run(): Promise<boolean> {
    const due = await this.tests.findDue(this.clock.now(), CAMPAIGNS_AT_ONCE);
    for (const campaign of due) await this.winner.choose(campaign);
    return due.length === CAMPAIGNS_AT_ONCE;
  }
}
