import { type DeviceId, NO_DEVICE } from '@postrider/domain';
import { DeadTokensRepository, RoutesRepository, rows } from '@postrider/persistence';
import { LOGGER, type Logger, newId } from '@postrider/platform';
import { configureVendor } from '@postrider/testing';
import { startTestGateway, type TestAnswer, TEST_ADMIN_TOKEN, type TestGateway } from '../../testing/test-gateway';

describe('the operations of vendors', () => {
  let gateway: TestGateway;
  let server: string;

  const call = (method: string, path: string, body?: unknown, token = TEST_ADMIN_TOKEN): Promise<TestAnswer> =>
    gateway.request(method, `/api/admin/apps/shop/${path}`, { body, headers: { authorization: `Bearer ${token}` } });
  const fcm = { appId: 'shop', vendor: 'fcm' as const };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test looks into whatever came
  const health = async (): Promise<any> =>
    (await call('GET', 'vendors/health')).body.vendors.find(({ vendor }: { vendor: string }) => vendor === 'fcm');
  const addPhone = async (token: string): Promise<{ id: DeviceId; installationId: string }> => {
    const [phone] = await rows<{ id: string; installation_id: string }>(
      gateway.database,
      `INSERT INTO installations (app_id, installation_id, user_id, user_since, device_type, push_type, token,
         token_registered_at)
       VALUES ('shop', gen_random_uuid(), 'ada', now(), 'android', 'fcm', $1, now() - interval '1 hour')
       RETURNING id, installation_id`,
      [token],
    );
    return { id: phone?.id ?? NO_DEVICE, installationId: phone?.installation_id ?? '' };
  };
  const quarantine = async (phones: { id: DeviceId }[]): Promise<void> => {
    const stored = await rows<{ id: string; token: string; at: string }>(
      gateway.database,
      'SELECT id, token, token_registered_at::text AS at FROM installations WHERE id = ANY ($1)',
      [phones.map(({ id }) => id)],
    );
    const dead = stored.map(({ id, token, at }) => ({
      deviceId: id,
      token,
      registeredAt: at,
      deadSince: null,
    }));
    await new DeadTokensRepository(gateway.database).note(
      gateway.database,
      fcm,
      dead,
      new Date(),
      new Date(Date.now() + 900_000),
    );
    await new DeadTokensRepository(gateway.database).beginQuarantine(
      gateway.database,
      fcm,
      { share: 0.8, normalShare: 0.001 },
      new Date(),
    );
  };

  beforeAll(async () => {
    gateway = await startTestGateway();
    server = await gateway.application('shop');
    await configureVendor(gateway.database, 'shop', 'fcm');
  });

  afterEach(() => rows(gateway.database, 'DELETE FROM vendor_troubles'));
  afterAll(() => gateway.close());

  it('show what every worker knows, and forget workers that are gone', async () => {
    const now = new Date();
    const [{ revision } = { revision: null }] = await rows<{ revision: string }>(
      gateway.database,
      'SELECT revision FROM vendor_credentials',
    );
    const state = { ...fcm, since: now, inFlight: 3, revision, lastError: null, failingSince: null };
    const lastError = { kind: 'config', code: 'PERMISSION_DENIED', reason: 'Revoked', at: now };
    const openUntil = new Date(now.getTime() + 20_000);
    await new RoutesRepository(gateway.database).reportStates(
      'w1',
      [{ ...state, breaker: 'closed', openUntil: null }],
      now,
    );
    await new RoutesRepository(gateway.database).reportStates(
      'w2',
      [{ ...state, breaker: 'open', openUntil, lastError }],
      now,
    );
    const longAgo = new Date(now.getTime() - 60_000);
    await new RoutesRepository(gateway.database).reportStates(
      'gone',
      [{ ...state, breaker: 'open', openUntil: null }],
      longAgo,
    );
    await new RoutesRepository(gateway.database).reportFailingCredentials(
      { ...fcm, code: 'PERMISSION_DENIED', reason: 'Revoked', revision },
      now,
    );
    expect(await health()).toMatchObject({
      state: 'open',
      openUntil: openUntil.toISOString(),
      hasCredentials: true,
      credentials: { since: now.toISOString(), code: 'PERMISSION_DENIED', reason: 'Revoked' },
      lastError: { code: 'PERMISSION_DENIED' },
      quarantine: null,
      workers: [
        { workerId: 'w1', state: 'closed', inFlight: 3 },
        { workerId: 'w2', state: 'open' },
      ],
    });
  });

  it('apply a quarantine to the tokens that devices still have, and say how many that were', async () => {
    const [kept, changed] = [await addPhone('a1'), await addPhone('a2')];
    await quarantine([kept, changed]);
    expect((await health()).quarantine).toMatchObject({ count: 2, share: expect.closeTo(0.8) });
    expect((await health()).quarantine.sample.sort()).toEqual([kept.installationId, changed.installationId].sort());
    await rows(gateway.database, `UPDATE installations SET token = 'a3' WHERE id = $1`, [changed.id]);
    expect(await call('POST', 'vendors/fcm/quarantine/apply')).toMatchObject({
      status: 200,
      body: { switchedOff: 1, kept: 1 },
    });
    expect(await call('POST', 'vendors/fcm/quarantine/apply')).toMatchObject({ body: { switchedOff: 0, kept: 0 } });
    const statuses = await rows(gateway.database, 'SELECT id, token_status FROM installations WHERE id = ANY ($1)', [
      [kept.id, changed.id],
    ]);
    expect(statuses).toEqual(
      expect.arrayContaining([
        { id: kept.id, token_status: 'INVALID' },
        { id: changed.id, token_status: null },
      ]),
    );
    expect((await health()).quarantine).toBeNull();
  });

  it('release a quarantine: every token stays on, and the log has it once', async () => {
    const told = jest.spyOn(gateway.app.get<Logger>(LOGGER), 'info');
    const phones = [await addPhone('r1'), await addPhone('r2')];
    await quarantine(phones);
    expect(await call('POST', 'vendors/fcm/quarantine/release')).toMatchObject({ status: 200, body: { released: 2 } });
    const left = await rows(
      gateway.database,
      'SELECT 1 FROM installations WHERE token_status IS NOT NULL AND id = ANY ($1)',
      [phones.map(({ id }) => id)],
    );
    expect(left).toEqual([]);
    expect(await call('POST', 'vendors/fcm/quarantine/release')).toMatchObject({ body: { released: 0 } });
    const lines = told.mock.calls.filter(([, event]) => event === 'quarantine.released');
    expect(lines).toEqual([[{ ...fcm, released: 2 }, 'quarantine.released']]);
  });

  it('make held pages due when the operator asks or the credentials change, and no others', async () => {
    const acceptedAt = new Date();
    const messageId = newId(acceptedAt);
    const later = new Date(acceptedAt.getTime() + 3_600_000);
    const page = async (fence: number, firstAttemptAt: Date | null): Promise<string> => {
      const id = newId();
      await rows(
        gateway.database,
        `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, fence, first_attempt_at, not_before, wake_at)
         VALUES ('shop', $1, $2, 'fcm', 'campaign', '{1}', $3, $4, $5, $5)`,
        [messageId, id, fence, firstAttemptAt, later],
      );
      return id;
    };
    const held = await page(2, null);
    const isDue = async (): Promise<string[]> =>
      (
        await rows<{ id: string }>(
          gateway.database,
          'SELECT id FROM pages WHERE message_id = $1 AND not_before <= now()',
          [messageId],
        )
      ).map(({ id }) => id);
    await page(1, acceptedAt);
    await page(0, null);
    expect((await health()).heldPages).toBe(1);
    expect(await call('POST', 'vendors/fcm/breaker/reset')).toMatchObject({ status: 200, body: { pages: 1 } });
    expect(await isDue()).toEqual([held]);
    expect(await new RoutesRepository(gateway.database).releasePages('shop', 'fcm', new Date(), 10)).toEqual([]);
    await rows(gateway.database, 'UPDATE pages SET not_before = $2 WHERE id = $1', [held, later]);
    await new RoutesRepository(gateway.database).reportFailingCredentials(
      { ...fcm, code: 'x', reason: 'y', revision: await revisionNow() },
      acceptedAt,
    );
    expect((await health()).credentials).not.toBeNull();
    const put = await call('PUT', 'vendors/webpush', { subject: 'mailto:ops@example.com' });
    expect(put.status).toBe(200);
    expect((await health()).credentials).not.toBeNull();
    await rows(gateway.database, `UPDATE pages SET vendor = 'webpush' WHERE id = $1`, [held]);
    await call('PUT', 'vendors/webpush', { subject: 'mailto:ops@example.com' });
    expect(await isDue()).toEqual([held]);
  });

  async function revisionNow(): Promise<string> {
    const [found] = await rows<{ revision: string }>(
      gateway.database,
      `SELECT revision FROM vendor_credentials WHERE vendor = 'fcm'`,
    );
    return found?.revision ?? '';
  }

  it('list the numbers that get no SMS, and let one get them again', async () => {
    for (const phone of ['+14155550001', '+14155550002', '+14155550003']) {
      await rows(
        gateway.database,
        `INSERT INTO opted_out_numbers (app_id, phone, provider, code, opted_out_at)
         VALUES ('shop', $1, 'twilio', '21610', now())`,
        [phone],
      );
    }
    const first = await call('GET', 'opted-out-numbers?limit=2');
    const second = await call('GET', `opted-out-numbers?limit=2&cursor=${first.body.nextCursor}`);
    expect(new Set([...first.body.numbers, ...second.body.numbers].map(({ digest }) => digest as string)).size).toBe(3);
    expect(await rows(gateway.database, `SELECT 1 FROM opted_out_numbers WHERE phone !~ '^[0-9a-f]{64}$'`, [])).toEqual(
      [],
    );
    expect((await call('DELETE', 'opted-out-numbers/%2B14155550002')).status).toBe(200);
    expect((await call('DELETE', 'opted-out-numbers/%2B14155550002')).status).toBe(404);
  });

  it('are the operator alone to see and do', async () => {
    for (const [method, path] of [
      ['GET', 'vendors/health'],
      ['POST', 'vendors/fcm/quarantine/apply'],
      ['POST', 'vendors/fcm/quarantine/release'],
      ['POST', 'vendors/fcm/breaker/reset'],
      ['GET', 'opted-out-numbers'],
    ] as const) {
      expect((await call(method, path, undefined, server)).status).toBe(401);
    }
    expect((await call('POST', 'vendors/carrier-pigeon/breaker/reset')).status).toBe(404);
    const unknown = await gateway.request('GET', '/api/admin/apps/nobody/vendors/health', {
      headers: { authorization: `Bearer ${TEST_ADMIN_TOKEN}` },
    });
    expect(unknown.status).toBe(404);
  });
});
