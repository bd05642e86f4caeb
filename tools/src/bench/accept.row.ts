import { seedApplication } from '../seed/seed-application';
import { besideBareHandler } from './bare-handler';
import { startBenchSystem } from './bench-system';
import type { BenchRow } from './bench-row';
import type { LoadRequest } from './http-load';

const DEVICES = 20_000;

const message = { content: 'Your parcel is on its way', notification: { title: 'Parcel', body: 'It comes today' } };

/** How many toUsers requests a second are accepted: committed, and their jobs enqueued in Redis. */
export const acceptRow: BenchRow = {
  name: 'accept',
  about: 'toUsers over HTTP, accepted and enqueued, beside a bare Fastify handler doing one INSERT and one Redis write',
  run: async (progress) => {
    const bench = await startBenchSystem(false);
    try {
      await seedApplication(bench.databases.databaseUrl, {
        appId: bench.appId,
        devices: DEVICES,
        mix: { fcm: 0.7, apns: 0.3 },
      });
      const path = `/api/push/toUsers?access_token=${bench.serverToken}`;
      const ours = (n: number): LoadRequest => ({
        path,
        body: JSON.stringify({ ...message, user: `user-${n % 10_000}` }),
      });
      const theirs = (n: number): LoadRequest => ({ ...ours(n), path: '/send' });
      return await besideBareHandler('accept', bench, progress, { ours, theirs });
    } finally {
      await bench.stop();
    }
  },
};
