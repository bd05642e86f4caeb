import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from 'pg';
import { seedApplication } from '../seed/seed-application';
import { atLeast, type BenchRow, median } from './bench-row';
import { type BenchSystem, startBenchSystem } from './bench-system';
import { runCampaign } from './campaign';
import { CampaignCost } from './campaign-cost';
import type { ServiceAccount } from './yardsticks/google-token';

const DEVICES = 100_000;
const ROUNDS = 3;
const SESSIONS = 2;
const IN_FLIGHT = 500;
const CAMPAIGN = {
  target: { deviceType: 'android' },
  content: 'The sale begins',
  notification: { title: 'Sale', body: 'Everything must go' },
};

/** How many devices a second a campaign reaches, from the REST call to the last recorded delivery. */
export const fanOutRow: BenchRow = {
  name: 'fan-out',
  about:
    'byQuery to 100,000 devices, REST call to last recorded delivery, beside a bare HTTP/2 loop that records nothing',
  run: async (progress) => {
    const bench = await startBenchSystem(true);
    try {
      await seedApplication(bench.databases.databaseUrl, {
        appId: bench.appId,
        devices: DEVICES,
        mix: { fcm: 1 },
        reachable: true,
      });
      const measured = { ours: [] as number[], yardstick: [] as number[] };
      for (let round = 1; round <= ROUNDS; round++) {
        const cost = await CampaignCost.begin(bench);
        measured.ours.push(await runCampaign(bench, CAMPAIGN, DEVICES));
        const costs = await cost.say(DEVICES);
        measured.yardstick.push(await runYardstick(bench));
        progress(
          `round ${round}: ${measured.ours.at(-1)?.toFixed(0)} beside ${measured.yardstick.at(-1)?.toFixed(0)} devices/s; a device: ${costs}`,
        );
      }
      return atLeast(0.85, 'fan-out', 'devices/s', median(measured.ours), median(measured.yardstick));
    } finally {
      await bench.stop();
    }
  },
};

async function runYardstick(bench: BenchSystem): Promise<number> {
  const { url, ca } = bench.system.simulatorTls;
  const child = fork(join(__dirname, 'yardsticks', 'bare-http2.js'), {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: ca },
  });
  const order = { url, ca, ...(await sameRequests(bench)), sessions: SESSIONS, inFlight: IN_FLIGHT };
  child.send(order);
  const [answer] = (await once(child, 'message')) as [{ milliseconds: number }];
  return order.tokens.length / (answer.milliseconds / 1_000);
}

/** The request that our worker sent last, for every device. */
async function sameRequests(
  bench: BenchSystem,
): Promise<{ account: ServiceAccount; path: string; body: string; tokens: string[] }> {
  const inbox = await fetch(`${bench.system.simulatorUrl}/inbox?vendor=fcm&limit=1`);
  const [last] = (await inbox.json()) as { token: string; payload: unknown }[];
  if (!last) throw new Error('The simulator has received nothing');
  const { serviceAccount: account } = bench.system.simulator.fcm as { serviceAccount: ServiceAccount };
  return {
    account,
    path: '/v1/projects/demo/messages:send',
    body: JSON.stringify(last.payload).replace(last.token, '%TOKEN%'),
    tokens: await readTokens(bench),
  };
}

async function readTokens(bench: BenchSystem): Promise<string[]> {
  const client = new Client({ connectionString: bench.databases.databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ token: string }>('SELECT token FROM installations WHERE app_id = $1', [
    bench.appId,
  ]);
  await client.end();
  return rows.map(({ token }) => token);
}
