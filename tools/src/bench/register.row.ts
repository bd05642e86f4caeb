import { seedApplication } from '../seed/seed-application';
import { besideBareHandler } from './bare-handler';
import { startBenchSystem } from './bench-system';
import type { BenchRow } from './bench-row';
import type { LoadRequest } from './http-load';

const DEVICES = 100_000;
const USERS = 5_000;

/** How many devices a second register: every other one is new, the others come back. */
export const registerRow: BenchRow = {
  name: 'register',
  about: 'devices that register over HTTP, half of them new, beside a bare Fastify handler doing one upsert each',
  run: async (progress) => {
    const bench = await startBenchSystem(false);
    try {
      await seedApplication(bench.databases.databaseUrl, { appId: bench.appId, devices: DEVICES, mix: { fcm: 1 } });
      const path = `/api/installations?access_token=${bench.serverToken}`;
      let registered = 0;
      const ours = (): LoadRequest => ({ path, body: JSON.stringify(phoneOf(registered++)) });
      const theirs = (): LoadRequest => ({ path: '/register', body: JSON.stringify(phoneOf(registered++)) });
      return await besideBareHandler('register', bench, progress, { ours, theirs });
    } finally {
      await bench.stop();
    }
  },
};

/** Returns the nth phone that registers; with an odd number it is one that came a while before. */
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
