import { NestFactory } from '@nestjs/core';
import { migrate } from '@postrider/persistence';
import { HealthRegistry, loadConfig, Shutdown } from '@postrider/platform';
import { createEmptyDatabase, testRedisUrl, until, untilTrue } from '@postrider/testing';
import { AppModule } from './app.module';

it('an edge on a database that nobody has migrated starts, is not ready, and is once the migrations have run', async () => {
  const empty = await createEmptyDatabase();
  const config = loadConfig({
    DATABASE_URL: empty.url,
    REDIS_URL: testRedisUrl(),
    SECRET_KEY: 's'.repeat(32),
    LOG_LEVEL: 'silent',
    INSTANCE_ID: 'early',
  });
  const app = await NestFactory.createApplicationContext(AppModule.forConfig(config), {
    logger: false,
    abortOnError: false,
  });
  try {
    const health = app.get(HealthRegistry, { strict: false });
    expect(await health.report()).toMatchObject({ ready: false, checks: { schema: { ok: false } } });
    await migrate(empty.dataSource);
    const report = await until(async () => {
      const found = await health.report();
      return found.ready && found;
    });
    expect(report).toMatchObject({ ready: true, checks: { schema: { ok: true } } });

    await untilTrue(async () => (await empty.dataSource.query(`SELECT 1 FROM edges`)).length === 1);
  } finally {
    app.get(Shutdown, { strict: false }).begin();
    await app.close();
    await empty.drop();
  }
});
