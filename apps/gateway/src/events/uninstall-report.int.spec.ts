import { rows } from '@postrider/persistence';
import { configureVendor } from '@postrider/testing';
import { startTestGateway, TEST_ADMIN_TOKEN, type TestAnswer, type TestGateway } from '../testing/test-gateway';

describe('the report of uninstalled apps', () => {
  let gateway: TestGateway;
  let server: string;
  const deadAt = Date.parse('2026-11-20T10:00:00.500Z');

  beforeAll(async () => {
    gateway = await startTestGateway();
    server = await gateway.application('shop');
    await configureVendor(gateway.database, 'shop', 'fcm');
  });

  afterAll(() => gateway.close());

  const call = (method: string, path: string, body?: unknown): Promise<TestAnswer> =>
    gateway.request(method, `/api/${path}`, { body, headers: { 'x-access-token': server } });
  const register = async (userId: string, deviceToken: string): Promise<string> =>
    (await call('POST', 'installations', { userId, deviceType: 'android', deviceToken })).body.id;
  const report = async (from: number, to: number, query = ''): Promise<TestAnswer['body']> =>
    (await call('GET', `installations/v1/uninstall/report/${from}/${to}${query}`)).body;

  /**
   * The vendor calls the tokens of these installations dead, at these times after `deadAt`. They are not switched off
   * yet.
   */
  async function callDead(installations: Record<string, number>): Promise<void> {
    await rows(
      gateway.database,
      `INSERT INTO vendor_troubles (app_id, vendor) VALUES ('shop', 'fcm') ON CONFLICT DO NOTHING`,
    );
    for (const [installationId, afterMs] of Object.entries(installations)) {
      await rows(
        gateway.database,
        `INSERT INTO quarantined_tokens (app_id, vendor, device_id, token_hash, registered_at, quarantined_at, is_silent)
         SELECT app_id, 'fcm', id, sha256(convert_to(token, 'UTF8')), token_registered_at, $2, false
         FROM installations WHERE installation_id = $1`,
        [installationId, new Date(deadAt + afterMs)],
      );
      // It was registered before the vendor called it dead.
      await rows(
        gateway.database,
        `WITH known AS (
           UPDATE installations SET token_registered_at = $2 WHERE installation_id = $1 RETURNING app_id, id, token_registered_at
         )
         UPDATE quarantined_tokens q SET registered_at = known.token_registered_at FROM known
         WHERE q.app_id = known.app_id AND q.device_id = known.id`,
        [installationId, new Date(deadAt - 1_000)],
      );
    }
  }
  const switchOff = (): Promise<TestAnswer> =>
    gateway.request('POST', '/api/admin/apps/shop/vendors/fcm/quarantine/apply', {
      headers: { authorization: `Bearer ${TEST_ADMIN_TOKEN}` },
    });

  it('lists devices whose token was switched off, once, at the time of the vendor and whatever came later', async () => {
    const [phone, tablet, kept] = [
      await register('ada', 'a1'),
      await register('ada', 'a2'),
      await register('bob', 'b1'),
    ];
    const other = await register('cleo', 'c1');
    await callDead({ [tablet]: 100, [phone]: 0, [other]: 50 });
    expect(await report(deadAt, deadAt + 100)).toEqual({ count: 0, data: [] });
    expect(await switchOff()).toMatchObject({ status: 200, body: { switchedOff: 3 } });
    const row = (installationId: string, userId: string, afterMs: number): object => ({
      time: new Date(deadAt + afterMs).toISOString(),
      installationId,
      deviceType: 'android',
      userId,
    });
    const all = [row(phone, 'ada', 0), row(other, 'cleo', 50), row(tablet, 'ada', 100)];
    expect(await report(deadAt, deadAt + 100)).toEqual({ count: 3, data: all });
    expect(await report(deadAt + 100, deadAt)).toEqual({ count: 3, data: all });
    expect(await report(deadAt + 1, deadAt + 99)).toEqual({ count: 1, data: [all[1]] });
    expect(await report(deadAt, deadAt + 100, '?offset=1&limit=1')).toEqual({ count: 3, data: [all[1]] });
    expect(await report(deadAt, deadAt + 100, '?offset=0&limit=25&type=')).toEqual({ count: 3, data: all });
    expect(await report(deadAt, deadAt + 100, '?type=churn')).toMatchObject({ count: 3 });
    // The tablet comes back with a new token: it is still listed, and ada has a reachable device beside the phone.
    await call('PUT', `installations/${tablet}`, { userId: 'ada', deviceType: 'android', deviceToken: 'a3' });
    expect(await report(deadAt, deadAt + 100)).toMatchObject({ count: 3 });
    expect((await report(deadAt, deadAt + 100, '?type=churn')).data).toEqual([all[1], all[2]]);
    expect(JSON.stringify(await report(deadAt, deadAt + 100))).not.toContain(kept);
    const { body } = await call('GET', 'users/cleo/export');
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    expect(JSON.parse(text)).toMatchObject({ uninstalls: [{ installationId: other, deviceType: 'android' }] });
  });

  it('forgets a user who is erased', async () => {
    expect(await call('DELETE', 'users/cleo')).toMatchObject({ status: 200 });
    expect((await report(deadAt, deadAt + 100)).data).toHaveLength(2);
  });

  it('refuses what is no span of time, and tells nothing to others', async () => {
    expect(await call('GET', 'installations/v1/uninstall/report/x/5?type=all&limit=0')).toMatchObject({ status: 400 });
    expect(await call('GET', 'installations/v1/uninstall/report/1/5?type=all')).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'type', message: 'must be churn, or empty' }] } },
    });
    const stranger = await gateway.application('other', ['read']);
    const answer = await gateway.request('GET', `/api/installations/v1/uninstall/report/0/${deadAt + 100}`, {
      headers: { 'x-access-token': stranger },
    });
    expect(answer.body).toEqual({ count: 0, data: [] });
  });
});
