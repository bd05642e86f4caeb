import { type DynamicModule, Module } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { JobValidation } from '@postrider/contracts';
import { PersistenceModule } from '@postrider/persistence';
import { type Config, PlatformModule } from '@postrider/platform';
import { QueuesModule } from '@postrider/queues';
import { AudienceModule } from './audience.module';

/** The audience worker: messages in, pages out; and the maintenance tasks. */
@Module({})
export class AppModule {
  static forConfig(config: Config): DynamicModule {
    return {
      module: AppModule,
      imports: [
        PlatformModule.forApp('audience-worker', config),
        PersistenceModule,
        QueuesModule.forApp(),
        AudienceModule,
      ],
      providers: [{ provide: APP_PIPE, useClass: JobValidation }],
    };
  }
}
