import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, type Config } from '@postrider/platform';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../database/data-source';
import { DATABASE } from '../database/executor';

/** Gives the process its one pool of connections to PostgreSQL, opened before anything that needs it. */
@Global()
@Module({
  providers: [
    {
      provide: DATABASE,
      inject: [CONFIG],
      useFactory: (config: Config) => createDataSource(config.databaseUrl, config.databasePoolSize).initialize(),
    },
  ],
  exports: [DATABASE],
})
export class PersistenceModule implements OnApplicationShutdown {
  constructor(@Inject(DATABASE) private readonly database: DataSource) {}

  async onApplicationShutdown(): Promise<void> {
    if (this.database.isInitialized) await this.database.destroy();
  }
}
