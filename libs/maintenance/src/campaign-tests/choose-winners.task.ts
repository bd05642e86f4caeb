import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { CampaignTestsRepository, LOCK_IDS, dueCampaignTests, type Sql } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, LOGGER, type Logger } from '@postrider/platform';
import { LOOK_AGAIN_MS, type MaintenanceTask } from '../registry/maintenance-task';
import { ChooseWinner } from './choose-winner.service';

/** Counting a large campaign takes seconds. */
const CAMPAIGNS_AT_ONCE = 10;

/**
 * Chooses the best variant of each campaign whose time has come; the users who waited for it are sent to from then on.
 * Runs every second (`SWEEP_INTERVAL_MS`). A worker that dies while it chooses has chosen nothing, and the next one
 * chooses. A campaign whose winner cannot be chosen is tried again after `LOOK_AGAIN_MS`, behind those that are due by
 * then: it delays no other.
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
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CONFIG) { sweepIntervalMs }: Pick<Config, 'sweepIntervalMs'>,
  ) {
    this.intervalMs = sweepIntervalMs;
  }

  due(): Sql {
    return dueCampaignTests(this.clock.now());
  }

  /** @throws what kept the first campaign that could not be decided, once the others are */
  async run(): Promise<boolean> {
    const due = await this.tests.findDue(this.clock.now(), CAMPAIGNS_AT_ONCE);
    const failures: unknown[] = [];
    for (const campaign of due) {
      try {
        await this.winner.choose(campaign);
      } catch (error) {
        failures.push(error);
        const { appId, messageId } = campaign;
        this.logger.error({ err: error, appId, messageId }, 'campaign.winner-failed');
        await this.tests.putOff(campaign, new Date(this.clock.now().getTime() + LOOK_AGAIN_MS));
      }
    }
    if (failures.length > 0) throw failures[0];
    return due.length === CAMPAIGNS_AT_ONCE;
  }
}
