import { Inject, Injectable } from '@nestjs/common';
import { bestVariant, type Clock } from '@postrider/domain';
import { CampaignTestsRepository, type CountedCampaign, type Database, DATABASE } from '@postrider/persistence';
import { CLOCK, LOGGER, type Logger } from '@postrider/platform';

/** Chooses the best variant of a campaign by its results. */
@Injectable()
export class ChooseWinner {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly tests: CampaignTestsRepository,
  ) {}

  /** Chooses the winner of a campaign. It is safe to run twice, also at the same time: the first decision holds. */
  async choose(campaign: CountedCampaign): Promise<void> {
    const { appId, messageId, content } = campaign;
    const { variants, winner } = content;
    if (variants === undefined || winner === undefined) return this.tests.giveUp(campaign);
    const figures = await this.tests.count(this.database, campaign);
    const counts = variants.map((_, place) => {
      const { users = 0, usersOpened = 0, usersClicked = 0 } = figures.find(({ part }) => part === place) ?? {};
      return { users, reacted: winner.metric === 'opened' ? usersOpened : usersClicked };
    });
    const variant = (variants[bestVariant(counts)] ?? variants[0])?.name ?? '';
    const isChosen = await this.tests.decide(campaign, { variant, by: 'figures' }, this.clock.now());
    if (!isChosen) return this.tests.giveUp(campaign);
    this.logger.info({ appId, messageId, variant, metric: winner.metric, counts }, 'campaign.winner-chosen');
  }
}
