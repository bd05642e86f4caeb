import fc from 'fast-check';
import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { rows } from '@postrider/persistence';
import { newId } from '@postrider/platform';
import { until } from '@postrider/testing';
import { AppModule } from '../../app.module';
import { createApp } from '../../create-app';
import { startTestGateway, testConfig, type TestGateway } from '../../testing/test-gateway';

const USERS = ['ada', 'bob', 'carl', 'dora'];
const TOKENS = ['one', 'two', 'three', 'four', 'five'];

type Step =
  | { kind: 'register'; user: string; token: string | null }
  | { kind: 'replace'; device: number; user: string; token: string | null }
  | { kind: 'tag'; user: string; operation: 'addTags' | 'removeTags'; tag: string }
  | { kind: 'erase'; user: string };

const user = fc.constantFrom(...USERS);
const token = fc.option(fc.constantFrom(...TOKENS), { freq: 9 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('register' as const), user, token }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('replace' as const), device: fc.nat(), user, token }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('tag' as const),
      user,
      operation: fc.constantFrom('addTags' as const, 'removeTags' as const),
      tag: fc.constantFrom('red', 'green', 'blue'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('erase' as const), user }) },
);

interface StoredDevice {
  installationId: string;
  userId: string;
  token: string | null;
  channels: string[];
  step: number;
  tags: string[];
  ownersTags: string[] | null;
}

describe('devices that are registered, tagged and erased at the same time', () => {
  let gateway: TestGateway;
  let second: NestFastifyApplication;
  let addresses: string[];

  beforeAll(async () => {
    gateway = await startTestGateway();
    const config = testConfig(gateway.databaseUrl);
    second = await createApp(AppModule.forConfig(config), config);
    await second.listen(0, '127.0.0.1');
    const { port } = second.getHttpServer().address() as AddressInfo;
    addresses = [gateway.address, `http://127.0.0.1:${port}`];
  });

  afterAll(async () => {
    await second.close();
    await gateway.close();
  });

  /**
   * Calls the two gateways in turn, and again while they cannot take the request or the connection breaks, as clients do: on a machine
   * that stands still, PostgreSQL is busy for longer than a request waits. Nothing was carried out then, or the same once more.
   */
  const callAs =
    (accessToken: string) =>
    async (
      turn: number,
      method: string,
      path: string,
      body?: object,
    ): Promise<{ status: number; body: { id: string } }> =>
      until(async () => {
        const answered = await fetch(`${addresses[turn % 2]}/api${path}`, {
          method,
          headers: { 'x-access-token': accessToken, ...(body ? { 'content-type': 'application/json' } : {}) },
          ...(body ? { body: JSON.stringify(body) } : {}),
        })
          .then(async (answer) => ({ status: answer.status, body: (await answer.json()) as { id: string } }))
          .catch(() => null);
        return answered?.status !== 503 && answered;
      });

  it('end as one of the orders would that they could have come in', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 90 }), async (steps) => {
        const appId = `storm-${++run}`;
        const call = callAs(await gateway.application(appId));
        const phone = (n: number, owner: string, vendorToken: string | null): object => ({
          userId: owner,
          deviceType: 'android',
          deviceToken: vendorToken,
          subscriptions: [`public/step-${n}`],
          step: n,
        });
        const known = await Promise.all(
          TOKENS.slice(0, 3).map(
            async (name, n) => (await call(n, 'POST', '/installations', phone(-1, 'ada', name))).body.id,
          ),
        );
        const waiting = newId();
        await rows(
          gateway.database,
          `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor)
           SELECT app_id, $2, id, 'pending', 0, 'connection' FROM installations WHERE app_id = $1`,
          [appId, waiting],
        );
        const statuses = await Promise.all(
          steps.map(async (one, n) => {
            if (one.kind === 'register')
              return (await call(n, 'POST', '/installations', phone(n, one.user, one.token))).status;
            if (one.kind === 'erase') return (await call(n, 'DELETE', `/users/${one.user}`)).status;
            if (one.kind === 'tag') {
              const body = { userId: one.user, tags: [one.tag] };
              return (await call(n, 'POST', `/installations/${one.operation}`, body)).status;
            }
            const path = `/installations/${known[one.device % known.length]}`;
            return (await call(n, 'PUT', path, phone(n, one.user, one.token))).status;
          }),
        );
        for (const [n, status] of statuses.entries()) {
          expect([n, status]).toEqual([n, steps[n]?.kind === 'replace' && status === 404 ? 404 : 200]);
        }

        const stored = await rows<StoredDevice>(
          gateway.database,
          `SELECT i.installation_id AS "installationId", i.user_id AS "userId", i.token, i.channels,
             (i.registration ->> 'step')::int AS step, i.tags, u.tags AS "ownersTags"
           FROM installations i LEFT JOIN users u USING (app_id, user_id) WHERE i.app_id = $1`,
          [appId],
        );
        const tokens = stored.map((device) => device.token).filter((name) => name !== null);
        expect(new Set(tokens).size).toBe(tokens.length);
        for (const device of stored) {
          // All of its state comes from one registration, its user exists, and it has the user's tags.
          const last = steps[device.step];
          if (device.step >= 0) {
            expect(last).toMatchObject({ user: device.userId, token: device.token });
            expect(device.channels).toEqual([`public/step-${device.step}`]);
            expect(statuses[device.step]).toBe(200);
          }
          expect(device.ownersTags).not.toBeNull();
          expect([...device.tags].sort()).toEqual([...(device.ownersTags ?? [])].sort());
        }
        // Nothing that waited for ada's devices waits for another user's device.
        const misled = await rows(
          gateway.database,
          `SELECT d.device_id, i.user_id FROM deliveries d
           JOIN installations i ON i.app_id = d.app_id AND i.id = d.device_id
           WHERE d.app_id = $1 AND d.state = 'pending' AND i.user_id <> 'ada'`,
          [appId],
        );
        expect(misled).toEqual([]);
      }),
      { numRuns: 8, endOnFailure: true },
    );
  });

  it('loses none of 200 edits of one user, though their phones are registered meanwhile', async () => {
    const call = callAs(await gateway.application('edits'));
    await call(0, 'POST', '/installations', { userId: 'ada', deviceType: 'android', deviceToken: 'first' });
    const edits = Array.from({ length: 200 }, (_, n) =>
      call(n, 'POST', '/installations/addTags', { userId: 'ada', tags: [`tag-${n}`] }),
    );
    const phones = Array.from({ length: 40 }, (_, n) =>
      call(n, 'POST', '/installations', { userId: 'ada', deviceType: 'android', deviceToken: `phone-${n % 20}` }),
    );
    const answers = await Promise.all([...edits, ...phones]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const carried = await rows<{ tags: string[] }>(
      gateway.database,
      `SELECT tags FROM users WHERE app_id = 'edits' UNION ALL SELECT tags FROM installations WHERE app_id = 'edits'`,
    );
    expect(carried).toHaveLength(1 + 21);
    const all = Array.from({ length: 200 }, (_, n) => `tag-${n}`).sort();
    for (const { tags } of carried) expect([...tags].sort()).toEqual(all);
  });

  it('are registered and tagged at once while somebody holds another user and their phone', async () => {
    const call = callAs(await gateway.application('held'));
    const register = (n: number, owner: string): Promise<{ status: number }> =>
      call(n, 'POST', '/installations', { userId: owner, deviceType: 'android', deviceToken: `of-${owner}` });
    await register(0, 'slow');
    const holder = gateway.database.createQueryRunner();
    await holder.startTransaction();
    await holder.query(`SELECT FROM users WHERE app_id = 'held' FOR UPDATE`);
    await holder.query(`SELECT FROM installations WHERE app_id = 'held' FOR UPDATE`);
    const slow = [register(0, 'slow'), call(0, 'POST', '/installations/addTags', { userId: 'slow', tags: ['x'] })];
    const others = await Promise.all(Array.from({ length: 20 }, (_, n) => register(n, `user-${n}`)));
    const tagged = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        call(n, 'POST', '/installations/addTags', { userId: `user-${n}`, tags: ['x'] }),
      ),
    );
    expect(new Set([...others, ...tagged].map(({ status }) => status))).toEqual(new Set([200]));
    await holder.rollbackTransaction();
    await holder.release();
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200]);
  });
});
