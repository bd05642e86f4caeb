import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config, type Logger, LOGGER } from '@postrider/platform';
import { campaignPageLimit, smallPageLimit } from './page-limit';
import { SlowPages } from './slow-pages';

/** What limits the pages that a worker has in hand. */
@Injectable()
export class PagesInHand {
  /** Of campaigns, by route. */
  readonly campaigns;
  /** Of named users, by vendor. */
  readonly small = smallPageLimit();
  /** Of named users, without a job that waits for them. */
  readonly slow;

  constructor(@Inject(CONFIG) sizes: Pick<Config, 'deliveryConcurrency' | 'pageSize'>, @Inject(LOGGER) logger: Logger) {
    this.campaigns = campaignPageLimit(sizes);
    this.slow = new SlowPages(logger);
  }
}
