import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { until } from '@postrider/testing';
import { Campaign } from './support/campaign';
import { type Postrider, startPostrider } from './support/postrider';
import { Simulator } from './support/simulator';

const OTHERS = 200;

describe('a message whose device no worker survives', () => {
  let postrider: Postrider;
  let simulator: Simulator;

  beforeAll(async () => {
    postrider = await startPostrider();
    simulator = new Simulator(postrider.system.simulatorUrl);
  });

  afterAll(() => postrider.stop());

  const tokenOf = async (appId: string): Promise<string> => {
    const client = new Client({ connectionString: postrider.database.url });
    await client.connect();
    const { rows } = await client.query<{ token: string }>(`SELECT token FROM installations WHERE app_id = $1`, [
      appId,
    ]);
    await client.end();
    return rows[0]?.token ?? '';
  };

  it('kills three of them, has failed then as worker_lost, and everybody else is reached', async () => {
    const server = await Campaign.prepare(postrider, 'poison', 1);
    const others = await Campaign.prepare(postrider, 'others', OTHERS);
    const token = await tokenOf('poison');
    await simulator.misbehave({ match: { token }, fault: { kind: 'hang' } });
    const poison = await Campaign.start('poison', server);
    for (let kills = 1; kills <= 3; kills++) {
      // Its vendor has the request: that is what kills the worker.
      await until(async () => (await simulator.tokens()).get(token) === kills);
      postrider.system.kill('delivery-worker');
    }
    const campaign = await Campaign.start('others', others);
    expect(await campaign.untilDone()).toMatchObject({ totals: { sent: OTHERS, failed: 0 } });
    expect(await poison.untilDone()).toMatchObject({ totals: { sent: 0, failed: 1, pending: 0 } });
    const { body } = await server.call('GET', `/api/push/messages/${poison.id}/deliveries`);
    expect(JSON.stringify(body)).toContain('worker_lost');
    const log = join(postrider.system.logFolder, 'delivery-worker.log');
    await until(async () => (await readFile(log, 'utf8')).includes('"page.parked"'));
    expect((await simulator.tokens()).get(token)).toBe(3);
  });

  it('goes on with what the only one had in hand when it was killed: nothing missing, repeated only what was in flight', async () => {
    const devices = 4_000;
    const server = await Campaign.prepare(postrider, 'killed', devices);
    await simulator.reset();
    await simulator.configure({ latencyMs: 50, countedTokens: 100_000 });
    const campaign = await Campaign.start('killed', server);
    await until(async () => (await simulator.counts()).accepted > devices / 10 && (true as const));
    postrider.system.kill('delivery-worker');
    expect(await campaign.untilDone()).toMatchObject({ totals: { sent: devices, failed: 0, pending: 0 } });
    const times = [...(await simulator.tokens()).values()];
    expect(times).toHaveLength(devices);
    expect(Math.max(...times)).toBeLessThanOrEqual(2);
    const log = await readFile(join(postrider.system.logFolder, 'delivery-worker.log'), 'utf8');
    expect(log).toContain('"worker.lost"');
  });
});
