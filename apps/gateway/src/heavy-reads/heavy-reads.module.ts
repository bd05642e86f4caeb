import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { createDataSource, HEAVY_DATABASE, type HeavyDatabase, openDatabase } from '@postrider/persistence';
import { CONFIG, type Config, LOGGER, type Logger } from '@postrider/platform';
import { HeavyReads } from './heavy-reads.service';

/** Reads of many devices, separate from everything else. */
@Global()
@Module({
  providers: [
    {
      provide: HEAVY_DATABASE,
      inject: [CONFIG, LOGGER],
      useFactory: async (
        { databaseUrl, databaseHeavyPoolSize: size }: Config,
        logger: Logger,
      ): Promise<HeavyDatabase> => ({
        pool: await openDatabase(
          createDataSource(databaseUrl, size, { applicationName: 'postrider heavy reads' }),
          logger,
        ),
        size,
      }),
    },
    HeavyReads,
  ],
  exports: [HeavyReads],
})
export class HeavyReadsModule implements OnApplicationShutdown {
  constructor(@Inject(HEAVY_DATABASE) private readonly heavy: HeavyDatabase) {}

  async onApplicationShutdown(): Promise<void> {
    if (this.heavy.pool.isInitialized) await this.heavy.pool.destroy();
  }
}
