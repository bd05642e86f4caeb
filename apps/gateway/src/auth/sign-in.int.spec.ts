import { Secret } from '@postrider/platform';
import { TestClock } from '@postrider/testing';
import { startTestGateway, TEST_ADMIN_TOKEN, type TestAnswer, type TestGateway } from '../testing/test-gateway';

describe('signing in at two gateways', () => {
  const clock = new TestClock();
  let one: TestGateway;
  let other: TestGateway;

  beforeAll(async () => {
    one = await startTestGateway({ trustedProxies: 1 }, clock);
    other = await startTestGateway({ trustedProxies: 1, databaseUrl: new Secret(one.databaseUrl) }, clock);
  });

  afterAll(() => Promise.all([one.close(), other.close()]));

  const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': `6.6.6.6, ${address}` });

  /** The places that tell if a token is the operator's. */
  const ways: Record<string, (gateway: TestGateway, token: string, address: string) => Promise<TestAnswer>> = {
    'the panel': (gateway, token, address) =>
      gateway.request('POST', '/panel/session', {
        body: { token },
        headers: { ...from(address), host: new URL(gateway.address).host, 'x-postrider-panel': '1' },
      }),
    'the queues board': (gateway, token, address) =>
      gateway.request('POST', '/queues/sign-in', {
        body: `token=${encodeURIComponent(token)}`,
        headers: { ...from(address), 'content-type': 'application/x-www-form-urlencoded' },
      }),
    'the panel’s session': (gateway, token, address) =>
      gateway.request('GET', '/panel/session', {
        headers: { ...from(address), 'x-access-token': token, 'x-postrider-panel': '1' },
      }),
    'calls of operators': (gateway, token, address) =>
      gateway.request('GET', '/api/admin/apps', { headers: { ...from(address), authorization: `Bearer ${token}` } }),
  };

  it('refuses wrong tokens of an address after ten within a minute, wherever they are shown, and a right one never', async () => {
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt++) {
      const way = Object.values(ways)[attempt % 4];
      const answer = await way?.(attempt % 2 === 0 ? one : other, `wrong-${attempt}`, '1.1.1.1');
      statuses.push(answer?.status ?? 0);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
    for (const [name, way] of Object.entries(ways)) {
      for (const gateway of [one, other]) {
        const refused = await way(gateway, 'wrong', '1.1.1.1');
        expect([name, refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([name, 429, true]);
        expect([name, (await way(gateway, 'wrong', '2.2.2.2')).status]).toEqual([name, 401]);
        const taken = await way(gateway, TEST_ADMIN_TOKEN, '1.1.1.1');
        expect([name, taken.status]).toEqual([name, name === 'the queues board' ? 303 : 200]);
      }
    }
  });

  it('does not count calls without a token', async () => {
    for (let attempt = 0; attempt < 12; attempt++) {
      expect((await one.request('GET', '/api/admin/apps', { headers: from('3.3.3.3') })).status).toBe(401);
    }
    expect((await ways['calls of operators']?.(one, 'wrong', '3.3.3.3'))?.status).toBe(401);
  });

  const cookieOf = (answer: TestAnswer | undefined): string =>
    String(answer?.headers['set-cookie']).split(';')[0] ?? '';

  it('ends a session of the panel on the server when its holder signs out, everywhere within five seconds', async () => {
    const cookie = cookieOf(await ways['the panel']?.(one, TEST_ADMIN_TOKEN, '4.4.4.4'));
    const session = (gateway: TestGateway, method: string): Promise<TestAnswer> =>
      gateway.request(method, '/panel/session', {
        headers: { cookie, host: new URL(gateway.address).host, 'x-postrider-panel': '1' },
      });
    expect((await session(one, 'GET')).status).toBe(200);
    expect((await session(other, 'GET')).status).toBe(200);
    expect((await session(one, 'DELETE')).status).toBe(200);
    expect((await session(one, 'GET')).status).toBe(401);
    clock.advance(5_000);
    expect((await session(other, 'GET')).status).toBe(401);
  });

  it('ends a session of the queues board likewise', async () => {
    const cookie = cookieOf(await ways['the queues board']?.(one, TEST_ADMIN_TOKEN, '4.4.4.4'));
    const read = (gateway: TestGateway): Promise<TestAnswer> =>
      gateway.request('GET', '/queues/api/queues', { headers: { cookie } });
    expect((await read(one)).status).toBe(200);
    await one.request('POST', '/queues/sign-out', { headers: { cookie } });
    expect((await read(one)).status).toBe(401);
    clock.advance(5_000);
    expect((await read(other)).status).toBe(401);
  });
});
