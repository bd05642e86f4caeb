import 'reflect-metadata';
import { isDatabaseUnavailable } from '@postrider/persistence';
import { startWorker } from '@postrider/platform';
import { BullMqServer } from '@postrider/queues';
import { AppModule } from './app.module';

void startWorker({
  app: 'audience-worker',
  module: (config) => AppModule.forConfig(config),
  strategy: (services) =>
    new BullMqServer({ ...services, isTemporary: isDatabaseUnavailable, owns: ['audience', 'validation'] }),
});
