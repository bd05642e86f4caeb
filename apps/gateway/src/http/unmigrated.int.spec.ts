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
    const url = await app.getUrl();
    const ready = (): Promise<Response> => fetch(`${url}/health/ready`);
    const before = await ready();
    expect(before.status).toBe(503);
    expect(await before.json()).toMatchObject({
      ready: false,
      checks: {
        postgres: { ok: true },
        schema: { ok: false, error: expect.stringContaining('run "npm run migrate"') as unknown },
      },
    });
    await migrate(empty.dataSource);
    expect((await ready()).status).toBe(200);
    const created = await fetch(`${url}/api/admin/apps`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TEST_ADMIN_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id: 'shop', name: 'Shop' }),
    });
    expect(created.status).toBe(201);
  });
});
