import { Redis } from 'ioredis';
import { seedApplication } from '../../tools/src/seed/seed-application';
import { type MessageStatus, untilDone } from './support/message-status';
import { type Postrider, startPostrider } from './support/postrider';
import { until } from './support/until';

const DEVICES = 20_000;
/** Requests in flight of the one delivery worker: as many devices may hear a message twice per kill, never more. */
const IN_FLIGHT = 200;

describe('a campaign to 20,000 devices', () => {
  let postrider: Postrider;

  beforeAll(async () => {
    postrider = await startPostrider({ DELIVERY_CONCURRENCY: String(IN_FLIGHT) });
  }, 120_000);

  afterAll(() => postrider.stop());

  beforeEach(async () => {
    await control('/inbox', 'DELETE');
    // Slow enough that there is a middle to be killed in.
    await control('/settings', 'PUT', { latencyMs: 20, countedTokens: 100_000 });
  });

  const control = async (path: string, method = 'GET', body?: unknown): Promise<Response> => {
    const answer = await fetch(`${postrider.house.simulatorUrl}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };

  /** Every token the vendor heard of, and how often. */
  const seen = async (): Promise<number[]> => {
    const text = await (await control('/tokens?vendor=fcm')).text();
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as [string, number])[1]);
  };

  const campaignDuring = async (appId: string, disturb: () => Promise<void> | void, kills: number): Promise<void> => {
    const { server } = await postrider.createApplication(appId);
    await seedApplication(postrider.database.url, { appId, devices: DEVICES, mix: { fcm: 1 }, reachable: true });
    const { body, headers } = await server.call<{ count: number }>('POST', '/api/push/byQuery', {
      target: { deviceType: 'android' },
      content: 'Still here',
      useAsAlert: true,
    });
    expect(body).toEqual({ count: DEVICES });
    await until(async () => (await seen()).length > DEVICES / 10);
    await disturb();
    const status: MessageStatus = await untilDone(server, 'campaigns', headers.get('x-message-id') ?? '');
    expect(status).toMatchObject({ count: DEVICES, recipients: DEVICES, totals: { sent: DEVICES, pending: 0 } });
    const times = await seen();
    expect(times).toHaveLength(DEVICES);
    expect(times.reduce((sum, one) => sum + one, 0) - DEVICES).toBeLessThanOrEqual(kills * IN_FLIGHT);
  };

  it('reaches every device once, and repeats at most what was in flight, when the delivery worker is killed', async () => {
    await campaignDuring('killed-delivery', () => postrider.house.kill('delivery-worker'), 1);
  }, 120_000);

  it('reaches every device once when the audience worker and the gateway are killed', async () => {
    const kill = (): void => {
      postrider.house.kill('audience-worker');
      postrider.house.kill('gateway');
    };
    await campaignDuring('killed-audience', kill, 0);
  }, 120_000);

  it('reaches every device once when Redis loses everything', async () => {
    const flush = async (): Promise<void> => {
      const redis = new Redis(postrider.redis.url);
      await redis.flushall();
      redis.disconnect();
    };
    await campaignDuring('flushed', flush, 0);
  }, 120_000);
});
