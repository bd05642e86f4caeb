import { type DynamicModule, Module } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { JobValidation } from '@postrider/contracts';
import { PersistenceModule } from '@postrider/persistence';
import { type Config, PlatformModule } from '@postrider/platform';
import { QueuesModule, type QueuesModuleOptions } from '@postrider/queues';
import { LaneMetric } from './lane-metric';
import { PageModule } from './page/page.module';
import { PresenceModule } from './presence/presence.module';
import { SmsModule } from './sms/sms.module';
import { RouteReportsModule } from './route/route-reports.module';
import { WebhooksModule } from './webhooks/webhooks.module';

/** The delivery worker: pages in, vendor calls out, deliveries recorded. */
@Module({})
export class AppModule {
  /** @param queues for tests: a prefix of their own */
  static forConfig(config: Config, queues: QueuesModuleOptions = {}): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forApp('delivery-worker', config),
        PersistenceModule,
        QueuesModule.forApp(queues),
        RouteReportsModule,
        PresenceModule,
        PageModule,
        SmsModule,
        WebhooksModule,
      ],
      providers: [{ provide: APP_PIPE, useClass: JobValidation }, LaneMetric],
    };
  }
}
