import 'reflect-metadata';
import { startWorker } from '@postrider/platform';
import { BullMqServer } from '@postrider/queues';
import { AppModule } from './app.module';
import { jobsAtOnce } from './pages/pages-at-once';

void startWorker({
  app: 'delivery-worker',
  module: (config) => AppModule.forConfig(config),
  strategy: (services) => new BullMqServer({ ...services, concurrency: jobsAtOnce(services.config) }),
});
