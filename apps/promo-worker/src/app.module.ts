import { type DynamicModule, Module } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { JobValidation } from '@postrider/contracts';
import { PersistenceModule } from '@postrider/persistence';
import { type Config, PlatformModule } from '@postrider/platform';
import { QueuesModule } from '@postrider/queues';
import { PromoModule } from './promo.module';

/** The promo worker: turns uploads into sets in force. Maintenance deletes the rest of old ones. */
@Module({})
export class AppModule {
  static forConfig(config: Config): DynamicModule {
    return {
      module: AppModule,
      imports: [PlatformModule.forApp('promo-worker', config), PersistenceModule, QueuesModule.forApp(), PromoModule],
      providers: [{ provide: APP_PIPE, useClass: JobValidation }],
    };
  }
}
