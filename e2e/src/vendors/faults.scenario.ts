import { generateKeyPairSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { until } from '@postrider/testing';
import { Campaign } from '../support/campaign';
import type { MessageStatus } from '../support/message-status';
import type { Postrider } from '../support/postrider';
import { Simulator } from '@postrider/tools/start/simulator';

const DEVICES = 2_000;

/** A vendor that misbehaves while campaigns are sent. */
export function faultsScenario(system: () => Postrider): void {
  let postrider: Postrider;
  let simulator: Simulator;

  beforeAll(() => {
    postrider = system();
    simulator = new Simulator(postrider.system.simulatorUrl);
  });

  beforeEach(() => simulator.reset());

  const send = async (appId: string, devices = DEVICES): Promise<MessageStatus> =>
    (await Campaign.start(appId, await Campaign.prepare(postrider, appId, devices))).untilDone();

  const invalidTokens = async (appId: string): Promise<string[]> => {
    const client = new Client({ connectionString: postrider.database.url });
    await client.connect();
    const { rows } = await client.query<{ token: string }>(
      `SELECT token FROM installations WHERE app_id = $1 AND token_status = 'INVALID' ORDER BY token`,
      [appId],
    );
    await client.end();
    return rows.map(({ token }) => token);
  };

  const timesPerToken = async (): Promise<Set<number>> => new Set((await simulator.tokens()).values());

  it('throttles some devices once: they are asked for again, and everyone is reached once', async () => {
    await simulator.setFaults({
      match: { share: 0.1, timesPerToken: 1 },
      fault: { kind: 'status', http: 429, code: 'QUOTA_EXCEEDED', retryAfter: 2 },
    });
    expect(await send('throttled')).toMatchObject({ totals: { sent: DEVICES, pending: 0 } });
    expect((await simulator.counts()).refused.QUOTA_EXCEEDED).toBeGreaterThan(DEVICES / 40);
    expect((await simulator.tokens()).size).toBe(DEVICES);
    expect(await timesPerToken()).toEqual(new Set([1]));
  });

  it('answers 500 for some devices once: all arrive, each once', async () => {
    await simulator.setFaults({
      match: { share: 0.2, timesPerToken: 1 },
      fault: { kind: 'status', http: 500, code: 'INTERNAL' },
    });
    expect(await send('failing')).toMatchObject({ totals: { sent: DEVICES, failed: 0, pending: 0 } });
    expect((await simulator.tokens()).size).toBe(DEVICES);
    expect(await timesPerToken()).toEqual(new Set([1]));
  });

  it('says GOAWAY every 300 requests: nobody is lost, nobody is sent to twice', async () => {
    await simulator.setFaults({ fault: { kind: 'goaway', every: 300 } });
    expect(await send('goaway')).toMatchObject({ totals: { sent: DEVICES, pending: 0 } });
    expect((await simulator.tokens()).size).toBe(DEVICES);
    expect(await timesPerToken()).toEqual(new Set([1]));
  });

  it('never answers for a few devices: each of them is asked once more, and only they', async () => {
    await simulator.setFaults({ match: { times: 5, after: 100, timesPerToken: 1 }, fault: { kind: 'hang' } });
    expect(await send('hanging', 500)).toMatchObject({ totals: { sent: 500, failed: 0, pending: 0 } });
    const times = [...(await simulator.tokens()).values()];
    expect(times).toHaveLength(500);
    expect(times.filter((one) => one === 2)).toHaveLength(5);
    expect(Math.max(...times)).toBe(2);
  });

  it('calls some tokens dead: these are switched off, and no other', async () => {
    await simulator.setFaults({ match: { share: 0.01 }, fault: { kind: 'dead_token' } });
    const { totals } = await send('dead');
    const taken = await simulator.tokens();
    await until(async () => (await invalidTokens('dead')).length >= DEVICES - taken.size);
    const invalid = await invalidTokens('dead');
    expect(invalid.length).toBeGreaterThan(DEVICES / 400);
    expect(totals).toMatchObject({ failed: invalid.length, sent: DEVICES - invalid.length });
    expect(taken.size).toBe(DEVICES - invalid.length);
    expect(invalid.filter((token) => taken.has(token))).toEqual([]);
  });

  it('calls every token dead, as a wrong project does: none is switched off', async () => {
    await simulator.setFaults({ fault: { kind: 'dead_token' } });
    expect(await send('wrong-project')).toMatchObject({ totals: { failed: DEVICES } });
    expect(await invalidTokens('wrong-project')).toEqual([]);
  });

  it('refuses our credentials: nobody fails, no token is lost, and all goes out once they are right', async () => {
    const server = await Campaign.prepare(postrider, 'revoked', DEVICES);
    const right = postrider.system.simulator.fcm as { serviceAccount: Record<string, unknown> };
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const wrong = { ...right.serviceAccount, private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }) };
    await postrider.admin.call('PUT', '/api/admin/apps/revoked/vendors/fcm', { ...right, serviceAccount: wrong });
    const campaign = await Campaign.start('revoked', server);
    const log = join(postrider.system.logFolder, 'delivery-worker.log');
    await until(async () =>
      (await readFile(log, 'utf8'))
        .split('\n')
        .some((line) => line.includes('"revoked"') && line.includes('route.held')),
    );
    const held = await campaign.until(({ recipients }) => recipients === DEVICES);
    expect(held.totals).toMatchObject({ sent: 0, failed: 0 });
    expect(await invalidTokens('revoked')).toEqual([]);

    await postrider.admin.call('PUT', '/api/admin/apps/revoked/vendors/fcm', right);
    expect(await campaign.untilDone()).toMatchObject({ totals: { sent: DEVICES, failed: 0, pending: 0 } });
    expect((await simulator.tokens()).size).toBe(DEVICES);
    expect(await timesPerToken()).toEqual(new Set([1]));
  });
}
