import { type DynamicModule, Module } from '@nestjs/common';
import { PersistenceModule } from '@postrider/persistence';
import { type Config, PlatformModule } from '@postrider/platform';
import { QueuesModule } from '@postrider/queues';
import { EdgeModule } from './edge.module';

/** The device edge: the MQTT connections of devices. */
@Module({})
export class AppModule {
  static forConfig(config: Config): DynamicModule {
    return {
      module: AppModule,
      imports: [PlatformModule.forApp('device-edge', config), PersistenceModule, QueuesModule.forApp(), EdgeModule],
    };
  }
}
