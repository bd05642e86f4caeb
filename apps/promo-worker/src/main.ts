import 'reflect-metadata';
import { isDatabaseUnavailable } from '@postrider/persistence';
import { startWorker } from '@postrider/platform';
import { BullMqServer } from '@postrider/queues';
import { AppModule } from './app.module';

void startWorker({
  app: 'promo-worker',
  module: (config) => AppModule.forConfig(config),
  strategy: (services) => new BullMqServer({ ...services, isTemporary: isDatabaseUnavailable, owns: ['promo'] }),
});
