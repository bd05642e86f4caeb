import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { seedApplication } from '../seed/seed-application';
import { atLeast, type BenchRow, median } from './bench-row';
import { startBenchHouse } from './bench-house';
import { loadHttp } from './http-load';

const CONNECTIONS = 32;
const SECONDS = 5;
const ROUNDS = 3;
const DEVICES = 20_000;

const message = { content: 'Your parcel is on its way', notification: { title: 'Parcel', body: 'It comes today' } };

/** How many toUsers requests a second are accepted: committed, and their jobs handed to Redis. */
export const acceptRow: BenchRow = {
  name: 'accept',
  about: 'toUsers over HTTP, accepted and enqueued, beside a bare Fastify handler doing one INSERT and one Redis write',
  run: async (progress) => {
    const bench = await startBenchHouse(false);
    const yardstick = await startYardstick(bench.databases.databaseUrl, bench.databases.redisUrl);
    try {
      await seedApplication(bench.databases.databaseUrl, {
        appId: bench.appId,
        devices: DEVICES,
        mix: { fcm: 0.7, apns: 0.3 },
      });
      const path = `/api/push/toUsers?access_token=${bench.serverToken}`;
      const ours = (n: number): { path: string; body: string } => ({
        path,
        body: JSON.stringify({ ...message, user: `user-${n % 10_000}` }),
      });
      const theirs = (n: number): { path: string; body: string } => ({ ...ours(n), path: '/send' });
      const measured = { ours: [] as number[], yardstick: [] as number[] };
      for (let round = 1; round <= ROUNDS; round++) {
        measured.yardstick.push(await loadHttp(yardstick.url, CONNECTIONS, SECONDS, theirs));
        measured.ours.push(await loadHttp(bench.house.gatewayUrl, CONNECTIONS, SECONDS, ours));
        progress(
          `round ${round}: ${measured.ours.at(-1)?.toFixed(0)} beside ${measured.yardstick.at(-1)?.toFixed(0)} requests/s`,
        );
      }
      return atLeast(0.5, 'accept', 'requests/s', median(measured.ours), median(measured.yardstick));
    } finally {
      yardstick.stop();
      await bench.stop();
    }
  },
};

async function startYardstick(databaseUrl: string, redisUrl: string): Promise<{ url: string; stop(): void }> {
  const child = spawn(process.execPath, [join(__dirname, 'yardsticks', 'bare-fastify.js')], {
    env: { ...process.env, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: line.toString().trim(), stop: () => child.kill() };
}
