import { Client } from 'pg';
import { Campaign } from './support/campaign';
import { type Postrider, startPostrider } from './support/postrider';
import { Simulator } from './support/simulator';
import { until } from './support/until';

const sumOf = (totals: Record<string, number>): number => Object.values(totals).reduce((sum, one) => sum + one, 0);

describe('a steered campaign', () => {
  let postrider: Postrider;
  let simulator: Simulator;

  beforeAll(async () => {
    postrider = await startPostrider({});
    simulator = new Simulator(postrider.house.simulatorUrl);
  }, 120_000);
  afterAll(() => postrider.stop());
  beforeEach(() => simulator.reset());

  async function start(appId: string, devices: number, fields: object): Promise<Campaign> {
    const server = await Campaign.prepare(postrider, appId, devices);
    return Campaign.start(appId, server, fields);
  }

  /** When each device of a message was sent to, in milliseconds, in order. */
  async function sentAt(messageId: string): Promise<number[]> {
    const client = new Client({ connectionString: postrider.database.url });
    await client.connect();
    const { rows } = await client.query<{ at: string }>(
      `SELECT extract(epoch FROM sent_at) * 1000 AS at FROM deliveries WHERE message_id = $1 AND state = 'sent' ORDER BY 1`,
      [messageId],
    );
    await client.end();
    return rows.map(({ at }) => Number(at));
  }

  it('keeps to its rate in every second, also when its worker is killed', async () => {
    const campaign = await start('paced', 3_000, { rate: 200 });
    await until(async () => (await simulator.counts()).accepted > 600 && (true as const));
    postrider.house.kill('delivery-worker');
    const status = await campaign.untilDone();
    expect(status).toMatchObject({ totals: { sent: 3_000, pending: 0 } });
    const times = await sentAt(campaign.id);
    let from = 0;
    let busiest = 0;
    times.forEach((time, index) => {
      while (time - times[from]! >= 1_000) from += 1;
      busiest = Math.max(busiest, index - from + 1);
    });
    const span = times.at(-1)! - times[0]!;
    // Pages are a tenth of the rate.
    expect(busiest).toBeLessThanOrEqual(200 + 2 * 20);
    expect(span).toBeGreaterThan(14_000);
    expect(span).toBeLessThan(60_000);
  }, 90_000);

  it.each([
    ['under way with a slow vendor', {}, 100],
    ['paced', { rate: 1_000 }, 5],
  ])(
    'of 100,000 devices stops within two seconds when it is %s, and says of each device what became of it',
    async (name, fields, latencyMs) => {
      await simulator.configure({ latencyMs });
      const campaign = await start(`cancelled-${name.split(' ')[0]}`, 100_000, fields);
      await until(async () => (await simulator.counts()).accepted > 1_500 && (true as const));
      await campaign.cancel();
      const cancelledAt = performance.now();
      let accepted = 0;
      let lastAcceptedAt = cancelledAt;
      const client = new Client({ connectionString: postrider.database.url });
      await client.connect();
      await until(async () => {
        const counts = await simulator.counts();
        if (counts.accepted !== accepted) lastAcceptedAt = performance.now();
        accepted = counts.accepted;
        const { rows } = await client.query<{ n: number }>(
          `SELECT count(*)::integer AS n FROM pages WHERE message_id = $1 AND state <> 'finished'`,
          [campaign.id],
        );
        return performance.now() - cancelledAt > 3_000 && rows[0]?.n === 0;
      });
      await client.end();
      // The audience worker may be at the last of them: each has its record when the sum is right, whenever that is.
      const status = await campaign.until(({ totals }) => totals.pending === 0 && sumOf(totals) === 100_000);
      expect(lastAcceptedAt - cancelledAt).toBeLessThan(2_000);
      expect(status.status).toBe('cancelled');
      expect(status.totals.sent).toBe(accepted);
    },
    120_000,
  );
});
