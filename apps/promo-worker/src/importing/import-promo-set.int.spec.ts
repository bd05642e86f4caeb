import { randomUUID } from 'node:crypto';
import { systemClock } from '@postrider/domain';
import { type PromoSetKey, PromoUploadsRepository, rows } from '@postrider/persistence';
import { NestFactory } from '@nestjs/core';
import { createThrowAwayDatabase, TestPlatform, testRedisUrl, type ThrowAwayDatabase } from '@postrider/testing';
import { loadConfig } from '@postrider/platform';
import { PromoModule } from '../promo.module';
import { ImportPromoSetService } from './import-promo-set.service';

describe('the log of imports of promo codes', () => {
  const lines: { level: string; event: string; facts: Record<string, unknown> }[] = [];
  const logger = Object.fromEntries(
    ['debug', 'info', 'warn', 'error'].map((level) => [
      level,
      (facts: Record<string, unknown>, event: string) => lines.push({ level, event, facts }),
    ]),
  );
  let throwAway: ThrowAwayDatabase;
  let imports: ImportPromoSetService;
  let close: () => Promise<void>;

  const upload = async (file: string): Promise<PromoSetKey> => {
    const uploads = new PromoUploadsRepository(throwAway.dataSource);
    const key = { appId: 'shop', setId: randomUUID() };
    const now = systemClock.now();
    await uploads.begin(key, { trackId: 'spring', createdAt: now, giveUpAt: now, most: 100 });
    await uploads.keepPiece(key, { number: 0, content: Buffer.from(file) });
    await uploads.startImport(key, now);
    return key;
  };
  const lineOf = async (key: PromoSetKey): Promise<unknown> => {
    await imports.import(key, new AbortController().signal);
    return lines.splice(0).find(({ event }) => event === 'promo.imported');
  };

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    await rows(
      throwAway.dataSource,
      `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('shop', 'Shop', '')`,
    );
    const config = loadConfig({
      DATABASE_URL: throwAway.url,
      REDIS_URL: testRedisUrl(),
      SECRET_KEY: 's'.repeat(32),
    });
    const platform = TestPlatform.with({ service: 'promo-worker', database: throwAway.dataSource, config, logger });
    const module = { module: PromoModule, imports: [platform] };
    const app = await NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    imports = app.get(ImportPromoSetService);
    close = () => app.close();
  });
  afterAll(async () => {
    await close();
    await throwAway.drop();
  });

  it('has a warning with the reason for a good file that could not be imported', async () => {
    const key = await upload('A\nB');
    await rows(throwAway.dataSource, `UPDATE promo_sets SET attempts = 5 WHERE set_id = $1`, [key.setId]);
    expect(await lineOf(key)).toMatchObject({
      level: 'warn',
      facts: { ...key, outcome: 'failed', failure: 'service', reason: 'could not be imported' },
    });
  });

  it('has no warning for a file that its sender has to mend, nor for one that is in force', async () => {
    expect(await lineOf(await upload('A,B\n'))).toMatchObject({
      level: 'info',
      facts: { outcome: 'failed', failure: 'file', reason: expect.stringContaining('line 1') },
    });
    expect(await lineOf(await upload('A\nB'))).toMatchObject({
      level: 'info',
      facts: { outcome: 'in_force', total: 2 },
    });
  });
});
