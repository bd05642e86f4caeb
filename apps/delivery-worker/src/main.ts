import 'reflect-metadata';
import { isDatabaseUnavailable } from '@postrider/persistence';
import { startWorker } from '@postrider/platform';
import { BullMqServer } from '@postrider/queues';
import { AppModule } from './app.module';
import { leftQueues } from './left-queues';
import { jobsAtOnce } from './page/claim/page-limit';

/**
 * How much a worker of campaigns alone lets others go first: a campaign takes all processor time there is, and a message
 * to one user must not wait for it.
 */
const NICENESS_OF_CAMPAIGNS = 10;

void startWorker({
  app: 'delivery-worker',
  module: (config) => AppModule.forConfig(config),
  niceness: ({ deliveryLanes }) => (deliveryLanes === 'campaign' ? NICENESS_OF_CAMPAIGNS : 0),
  strategy: (services) =>
    new BullMqServer({
      ...services,
      isTemporary: isDatabaseUnavailable,
      concurrency: jobsAtOnce(services.config),
      leaves: leftQueues(services.config.deliveryLanes),
    }),
});
