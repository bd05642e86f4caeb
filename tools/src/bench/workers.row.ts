import { seedApplication } from '../seed/seed-application';
import { atLeast, type BenchRow, median } from './bench-row';
import { startBenchSystem } from './bench-system';
import { runCampaign } from './campaign';
import { ProcessTime, sayTimes } from './process-time';
import { Simulator } from '../start/simulator';

const DEVICES = Number(process.env.BENCH_WORKERS_DEVICES ?? 40_000);
const ROUNDS = 3;
const LATENCY_MS = 50;
/** So few that a worker waits for the vendor, not for a processor core: two thousand devices a second each. */
const IN_FLIGHT = 100;

const CAMPAIGN = {
  target: { deviceType: 'android' },
  content: 'The sale begins',
  notification: { title: 'Sale', body: 'Everything must go' },
};

/** How much a second delivery worker adds when a worker waits for the vendor's answers. */
export const workersRow: BenchRow = {
  name: 'workers',
  about: `a campaign to ${DEVICES.toLocaleString('en')} devices by two delivery workers, and by one: ${IN_FLIGHT} requests in flight each, which the vendor answers after ${LATENCY_MS} ms`,
  run: async (progress) => {
    const bench = await startBenchSystem(true, { DELIVERY_CONCURRENCY: String(IN_FLIGHT) });
    try {
      const { databaseUrl } = bench.databases;
      await seedApplication(databaseUrl, { appId: bench.appId, devices: DEVICES, mix: { fcm: 1 }, reachable: true });
      await new Simulator(bench.system.simulatorUrl).configure({ latencyMs: LATENCY_MS });
      const measured = { ours: [] as number[], yardstick: [] as number[] };
      for (let round = 1; round <= ROUNDS; round++) {
        const time = await ProcessTime.of(bench);
        const before = time.read();
        measured.yardstick.push(await runCampaign(bench, CAMPAIGN, DEVICES));
        progress(`round ${round}, one worker: ${measured.yardstick.at(-1)?.toFixed(0)} devices/s`);
        progress(`  processor time a device: ${sayTimes(before, time.read(), DEVICES)}`);
        const second = await bench.system.startAnother('delivery-worker');
        const timeOfTwo = await ProcessTime.of(bench, new Map([['second worker', second.pid ?? 0]]));
        const beforeTwo = timeOfTwo.read();
        measured.ours.push(await runCampaign(bench, CAMPAIGN, DEVICES));
        progress(`  two workers: ${measured.ours.at(-1)?.toFixed(0)} devices/s`);
        progress(`  processor time a device: ${sayTimes(beforeTwo, timeOfTwo.read(), DEVICES)}`);
        await second.stop();
      }
      return atLeast(1.8, 'workers', 'devices/s', median(measured.ours), median(measured.yardstick));
    } finally {
      await bench.stop();
    }
  },
};
