import 'reflect-metadata';
import { isDatabaseUnavailable } from '@postrider/persistence';
import { startWorker } from '@postrider/platform';
import { BullMqServer } from '@postrider/queues';
import { AppModule } from './app.module';
import { leftQueues } from './left-queues';
import { jobsAtOnce } from './page/claim/page-limit';

void startWorker({
  app: 'delivery-worker',
  module: (config) => AppModule.forConfig(config),
  strategy: (services) =>
    new BullMqServer({
      ...services,
      isPassing: isDatabaseUnavailable,
      concurrency: jobsAtOnce(services.config),
      leaves: leftQueues(services.config.deliveryLanes),
    }),
});
