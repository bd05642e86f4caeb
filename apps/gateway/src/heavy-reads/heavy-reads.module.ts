import { Global, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { createDataSource, HEAVY_DATABASE, type HeavyDatabase } from '@postrider/persistence';
import { CONFIG, type Config } from '@postrider/platform';
import { HeavyReads } from './heavy-reads.service';

/** Reads of many devices, separate from everything else. */
@Global()
@Module({
  providers: [
    {
      provide: HEAVY_DATABASE,
      inject: [CONFIG],
      useFactory: async ({ databaseUrl, databaseHeavyPoolSize: size }: Config): Promise<HeavyDatabase> => ({
        pool: await createDataSource(databaseUrl, size, { applicationName: 'postrider heavy reads' }).initialize(),
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
