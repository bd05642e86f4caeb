import { createDataSource } from '@postrider/persistence';
import { ConfigError, Secret } from '@postrider/platform';
import { Redis } from 'ioredis';

const PATIENCE_MS = 5_000;

/**
 * Makes sure that both databases answer before anything uses them. Sentinels and clusters are not checked: the
 * gateway's health reports them.
 *
 * @throws ConfigError naming the variable and why its server cannot be used
 */
export async function expectReachable(databaseUrl: string, redisUrl: string): Promise<void> {
  await expectPostgres(databaseUrl);
  await expectRedis(redisUrl);
}

async function expectPostgres(url: string): Promise<void> {
  const dataSource = createDataSource(new Secret(url), 1, { applicationName: 'start' });
  try {
    await dataSource.initialize();
    await dataSource.destroy();
  } catch (error) {
    throw new ConfigError('DATABASE_URL', `a PostgreSQL that answers (${reasonOf(error)})`, url);
  }
}

async function expectRedis(url: string): Promise<void> {
  if (!/^rediss?:/.test(url)) return;
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: PATIENCE_MS,
    commandTimeout: PATIENCE_MS,
    disconnectTimeout: 100,
    retryStrategy: () => null,
  });
  let reason: unknown;
  redis.on('error', (error: unknown) => (reason = error));
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    throw new ConfigError('REDIS_URL', `a Redis that answers (${reasonOf(reason ?? error)})`, url);
  } finally {
    redis.disconnect();
  }
}

function reasonOf(error: unknown): string {
  const { message = '', name = String(error) } = error as Partial<Error>;
  return message === '' ? name : message;
}
