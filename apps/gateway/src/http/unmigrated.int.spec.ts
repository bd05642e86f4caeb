import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { migrate } from '@postrider/persistence';
import { createEmptyDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { AppModule } from '../app.module';
import { createApp } from '../create-app';
import { TEST_ADMIN_TOKEN, testConfig } from '../testing/test-gateway';

describe('a gateway on a database that nobody has migrated', () => {
  let empty: ThrowAwayDatabase;
  let app: NestFastifyApplication;

  beforeAll(async () => {
    empty = await createEmptyDatabase();
    const config = testConfig(empty.url, { publicDocs: true });
    app = await createApp(AppModule.forConfig(config), config);
    await app.listen(0, '127.0.0.1');
  });

  afterAll(async () => {
    await app.close();
    await empty.drop();
  });

  it('starts, is not ready and says why, and serves once the migrations have run', async () => {
    const ready = (): ReturnType<typeof app.inject> => app.inject({ method: 'GET', url: '/health/ready' });
    const before = await ready();
    expect(before.statusCode).toBe(503);
    expect(before.json()).toMatchObject({
      ready: false,
      checks: {
        postgres: { ok: true },
        schema: { ok: false, error: expect.stringContaining('run "npm run migrate"') as unknown },
      },
    });
    await migrate(empty.dataSource);
    expect((await ready()).statusCode).toBe(200);
    const created = await app.inject({
      method: 'POST',
      url: '/api/admin/apps',
      headers: { authorization: `Bearer ${TEST_ADMIN_TOKEN}` },
      payload: { id: 'shop', name: 'Shop' },
    });
    expect(created.statusCode).toBe(201);
  });
});
