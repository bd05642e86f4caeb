import { seedApplication } from '../seed/seed-application';
import type { BenchRow } from './bench-row';
import { type BenchSystem, startBenchSystem } from './bench-system';
import { runCampaign } from './campaign';
import { Simulator } from '../start/simulator';

const RATE = Number(process.env.BENCH_PACED_RATE ?? 500);
const SECONDS = 12;
const DEVICES = RATE * SECONDS;
const WORKERS = 3;
/** Paced pages are a tenth of the rate. */
const PAGE = RATE / 10;
const MOST_ARRIVALS = 10_000;
const WINDOW_MS = 1_000;

const CAMPAIGN = { target: { deviceType: 'android' }, content: 'The sale begins', rate: RATE };

/**
 * How many devices are sent to in the busiest second if several workers share a campaign with a rate, and one of them
 * is killed.
 */
export const pacedRow: BenchRow = {
  name: 'paced',
  about: `the busiest second at the vendor of a campaign with a rate of ${RATE}, by ${WORKERS} delivery workers of which one is killed, and the rate plus a page of ${PAGE}`,
  run: async (progress) => {
    const bench = await startBenchSystem(true);
    try {
      const { databaseUrl } = bench.databases;
      await seedApplication(databaseUrl, { appId: bench.appId, devices: DEVICES, mix: { fcm: 1 }, reachable: true });
      await new Simulator(bench.system.simulatorUrl).configure({ inboxSize: MOST_ARRIVALS });
      for (let worker = 1; worker < WORKERS; worker++) await bench.system.startAnother('delivery-worker');
      const campaign = runCampaign(bench, CAMPAIGN, DEVICES);
      await untilTaken(bench, DEVICES / 3);
      bench.system.kill('delivery-worker');
      const speed = await campaign;
      const arrivals = await new Simulator(bench.system.simulatorUrl).arrivals(MOST_ARRIVALS);
      const reached = new Set(arrivals.map(({ token }) => token)).size;
      if (reached !== DEVICES) throw new Error(`The vendor took messages for ${reached} of ${DEVICES} devices`);
      const times = arrivals.map(({ at }) => at);
      const busiest = mostWithin(times, WINDOW_MS);
      progress(`${speed.toFixed(0)} devices/s, ${arrivals.length - DEVICES} sent twice, over one kill -9`);
      progress(
        `devices of each second: ${secondBySecond(times).join(', ')}; at most ${busiest} within ${WINDOW_MS} ms`,
      );
      const yardstick = RATE + PAGE;
      const ratio = Math.round((busiest / yardstick) * 100) / 100;
      return {
        row: 'paced',
        ours: busiest,
        yardstick,
        unit: 'devices/s',
        ratio,
        goal: '<= 1',
        met: busiest <= yardstick,
      };
    } finally {
      await bench.stop();
    }
  },
};

async function untilTaken({ system }: BenchSystem, devices: number): Promise<void> {
  const simulator = new Simulator(system.simulatorUrl);
  while ((await simulator.counts()).accepted < devices) await new Promise((later) => setTimeout(later, 20));
}

/** Returns the most times that lie in any half-open window; the times are in order. */
function mostWithin(times: readonly number[], windowMs: number): number {
  let most = 0;
  for (let from = 0, until = 0; until < times.length; until++) {
    while ((times[until] ?? 0) - (times[from] ?? 0) >= windowMs) from++;
    most = Math.max(most, until - from + 1);
  }
  return most;
}

function secondBySecond(times: readonly number[]): number[] {
  const counts: number[] = [];
  for (const at of times) {
    const second = Math.floor((at - (times[0] ?? 0)) / 1_000);
    counts[second] = (counts[second] ?? 0) + 1;
  }
  return Array.from(counts, (count) => count ?? 0);
}
