import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { seedApplication } from '../seed/seed-application';
import { startBenchHouse } from './bench-house';
import { atLeast, type BenchRow, median } from './bench-row';
import { type LoadRequest, loadHttp } from './http-load';

const CONNECTIONS = 32;
const SECONDS = 5;
const ROUNDS = 3;
const DEVICES = 100_000;
const USERS = 5_000;

/** How many devices a second register: every other one is new, the others come back. */
export const registerRow: BenchRow = {
  name: 'register',
  about: 'devices that register over HTTP, half of them new, beside a bare Fastify handler doing one upsert each',
  run: async (progress) => {
    const bench = await startBenchHouse(false);
    const yardstick = await startYardstick(bench.databases.databaseUrl, bench.databases.redisUrl);
    try {
      await seedApplication(bench.databases.databaseUrl, { appId: bench.appId, devices: DEVICES, mix: { fcm: 1 } });
      const path = `/api/installations?access_token=${bench.serverToken}`;
      let registered = 0;
      const ours = (): LoadRequest => ({ path, body: JSON.stringify(phoneOf(registered++)) });
      const theirs = (): LoadRequest => ({ path: '/register', body: JSON.stringify(phoneOf(registered++)) });
      const measured = { ours: [] as number[], yardstick: [] as number[] };
      for (let round = 1; round <= ROUNDS; round++) {
        measured.yardstick.push(await loadHttp(yardstick.url, CONNECTIONS, SECONDS, theirs));
        measured.ours.push(await loadHttp(bench.house.gatewayUrl, CONNECTIONS, SECONDS, ours));
        progress(
          `round ${round}: ${measured.ours.at(-1)?.toFixed(0)} beside ${measured.yardstick.at(-1)?.toFixed(0)} requests/s`,
        );
      }
      return atLeast(0.5, 'register', 'requests/s', median(measured.ours), median(measured.yardstick));
    } finally {
      yardstick.stop();
      await bench.stop();
    }
  },
};

/** The nth phone that registers; an odd one is one that came a while before. */
function phoneOf(n: number): object {
  const device = n % 2 === 0 ? n : Math.max(0, n - 1_001);
  return {
    userId: `visitor-${device % USERS}`,
    deviceType: 'android',
    deviceToken: `register-${device}`,
    clientVersion: '3.1',
    osVersion: '14',
    launchCount: n,
  };
}

async function startYardstick(databaseUrl: string, redisUrl: string): Promise<{ url: string; stop(): void }> {
  const child = spawn(process.execPath, [join(__dirname, 'yardsticks', 'bare-fastify.js')], {
    env: { ...process.env, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: line.toString().trim(), stop: () => child.kill() };
}
