import { createHmac } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { DAY_MS, MINUTE_MS } from '@postrider/domain';
import { rows } from '@postrider/persistence';
import { Secret } from '@postrider/platform';
import { configureVendor, TestClock } from '@postrider/testing';
import { startTestGateway, TEST_ADMIN_TOKEN, type TestAnswer, type TestGateway } from '../../testing/test-gateway';

/** An application that requires proved users, and its first key. */
interface Bank {
  id: string;
  server: string;
  client: string;
  key: string;
}

describe('the identity key of an application', () => {
  const clock = new TestClock();
  let gateway: TestGateway;
  let other: TestGateway;

  const admin = (method: string, path: string, body?: unknown, at = gateway): Promise<TestAnswer> =>
    at.request(method, `/api/admin/apps${path}`, { body, headers: { authorization: `Bearer ${TEST_ADMIN_TOKEN}` } });
  const open = async (id: string): Promise<Bank> => {
    const { body } = await admin('POST', '', { id, name: id, requireUserHash: true });
    return { id, server: body.tokens.server, client: body.tokens.client, key: body.identityKey };
  };
  const rotate = (bank: Bank, body?: object): Promise<TestAnswer> =>
    admin('POST', `/${bank.id}/rotate-identity-key`, body);
  const register = async (bank: Bank, key: string, at = gateway): Promise<number> => {
    const userHash = createHmac('sha256', key).update('ada').digest('hex');
    const body = { userId: 'ada', deviceType: 'android', deviceToken: `token-of-${bank.id}`, userHash };
    return (await at.request('POST', '/api/installations', { body, headers: { 'x-access-token': bank.client } }))
      .status;
  };

  beforeAll(async () => {
    gateway = await startTestGateway({}, clock);
    other = await startTestGateway({ databaseUrl: new Secret(gateway.databaseUrl) }, clock);
  });

  afterAll(async () => {
    await other.close();
    await gateway.close();
  });

  it('is replaced, and the former one proves users for a day beside it', async () => {
    const bank = await open('rotated');
    expect((await admin('GET', '/rotated')).body.formerIdentityKeyValidUntil).toBeNull();
    const rotated = await rotate(bank);
    const formerValidUntil = new Date(clock.now().getTime() + DAY_MS).toISOString();
    expect(rotated).toEqual({
      status: 200,
      headers: expect.anything(),
      body: { id: 'rotated', identityKey: expect.stringMatching(/^[0-9a-f]{64}$/), formerValidUntil },
    });
    const next = rotated.body.identityKey as string;
    expect(next).not.toBe(bank.key);
    expect([await register(bank, next), await register(bank, bank.key)]).toEqual([200, 200]);
    expect(await register(bank, 'f'.repeat(64))).toBe(401);
    expect((await admin('GET', '/rotated')).body.formerIdentityKeyValidUntil).toBe(formerValidUntil);
    clock.advance(DAY_MS);
    expect([await register(bank, next), await register(bank, bank.key)]).toEqual([200, 401]);
    expect((await admin('GET', '/rotated')).body.formerIdentityKeyValidUntil).toBeNull();
  });

  it('that others know is not valid from now on, if the operator says so, at every gateway within four seconds', async () => {
    const bank = await open('leaked');
    expect(await register(bank, bank.key, other)).toBe(200);
    const { body } = await rotate(bank, { formerValidSeconds: 0 });
    expect(body.formerValidUntil).toBeNull();
    expect([await register(bank, bank.key), await register(bank, body.identityKey)]).toEqual([401, 200]);
    clock.advance(4_000);
    expect([await register(bank, bank.key, other), await register(bank, body.identityKey, other)]).toEqual([401, 200]);
  });

  it('is still the former one after a second rotation, and the one before is not', async () => {
    const bank = await open('twice');
    const first = (await rotate(bank)).body.identityKey as string;
    const second = (await rotate(bank, { formerValidSeconds: '60' })).body.identityKey as string;
    expect(await Promise.all([bank.key, first, second].map((key) => register(bank, key)))).toEqual([401, 200, 200]);
    clock.advance(MINUTE_MS);
    expect(await Promise.all([bank.key, first, second].map((key) => register(bank, key)))).toEqual([401, 401, 200]);
  });

  it('can be one that the backend has already, and a repeated request leaves the former key as it is', async () => {
    const bank = await open('chosen');
    const own = 'the-key-that-the-backend-has-already';
    for (let time = 1; time <= 2; time++) {
      const { body } = await rotate(bank, { identityKey: own, formerValidSeconds: 3_600 });
      expect(body).toMatchObject({ identityKey: own, formerValidUntil: expect.any(String) });
      expect([await register(bank, own), await register(bank, bank.key)]).toEqual([200, 200]);
    }
    // The same key again also ends the time of the former one.
    expect((await rotate(bank, { identityKey: own, formerValidSeconds: 0 })).body.formerValidUntil).toBeNull();
    expect([await register(bank, own), await register(bank, bank.key)]).toEqual([200, 401]);
    await rotate(bank, { identityKey: bank.key, formerValidSeconds: 60 });
    clock.advance(MINUTE_MS);
    // A former key whose time is over stays so.
    expect((await rotate(bank, { identityKey: bank.key })).body.formerValidUntil).toBeNull();
    expect([await register(bank, own), await register(bank, bank.key)]).toEqual([401, 200]);
  });

  it('leaves devices proved that have proved their user with the former one', async () => {
    const bank = await open('proved');
    await configureVendor(gateway.database, 'proved', 'fcm');
    expect(await register(bank, bank.key)).toBe(200);
    await rotate(bank, { formerValidSeconds: 0 });
    const body = { user: 'ada', content: 'x' };
    const headers = { 'x-access-token': bank.server };
    const counted = await gateway.request('POST', '/api/push/toUsers?dryRun=true', { body, headers });
    expect(counted.body).toMatchObject({ count: 1 });
  });

  it('is in no other answer, is stored encrypted, and so is the former one', async () => {
    const bank = await open('kept');
    const next = (await rotate(bank)).body.identityKey as string;
    const [read, listed] = [await admin('GET', '/kept'), await admin('GET', '')];
    const exported = await fetch(`${gateway.address}/api/admin/apps/kept/archive`, {
      headers: { authorization: `Bearer ${TEST_ADMIN_TOKEN}` },
    });
    const archive = gunzipSync(Buffer.from(await exported.arrayBuffer())).toString();
    expect(archive).toMatch(/"settings"/);
    expect(archive).not.toMatch(/former/i);
    const stored = await rows<{ row: string }>(
      gateway.database,
      `SELECT applications::text AS row, encode(former_identity_key_sealed, 'escape') AS sealed FROM applications
       WHERE app_id = 'kept' AND former_identity_key_sealed IS NOT NULL`,
    );
    expect(stored).toHaveLength(1);
    const everything = JSON.stringify([read.body, listed.body, archive, stored]);
    for (const secret of [bank.key, next]) expect(everything).not.toContain(secret);
  });

  it('that two operators replace at once is replaced twice, and the key of the first is the former one', async () => {
    const bank = await open('contended');
    const keys = (await Promise.all([rotate(bank), rotate(bank)])).map(({ body }) => body.identityKey as string);
    expect(await Promise.all(keys.map((key) => register(bank, key)))).toEqual([200, 200]);
    expect(await register(bank, bank.key)).toBe(401);
  });

  it('is not replaced for a bad request, nor in an application that is unknown or being removed', async () => {
    const bank = await open('kept-key');
    for (const [body, path] of [
      [{ identityKey: 'short' }, 'identityKey'],
      [{ identityKey: `${'x'.repeat(40)} ` }, 'identityKey'],
      [{ identityKey: 'x'.repeat(256) }, 'identityKey'],
      [{ formerValidSeconds: -1 }, 'formerValidSeconds'],
      [{ formerValidSeconds: 2_592_001 }, 'formerValidSeconds'],
      [{ formerValidityS: 0 }, 'formerValidityS'],
    ] as const) {
      const { status, body: answer } = await rotate(bank, body);
      expect([status, answer.error.details]).toEqual([400, [{ path, message: expect.any(String) }]]);
    }
    expect((await admin('POST', '/nowhere/rotate-identity-key')).status).toBe(404);
    await rows(gateway.database, `UPDATE applications SET removal_began_at = now() WHERE app_id = 'kept-key'`);
    expect(await rotate(bank)).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
    expect(await register(bank, bank.key)).toBe(200);
  });
});
