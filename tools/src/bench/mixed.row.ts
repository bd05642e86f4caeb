import { seedApplication } from '../seed/seed-application';
import type { BenchRow } from './bench-row';
import { type BenchSystem, startBenchSystem } from './bench-system';
import { runCampaign } from './campaign';
import { ProcessTime, sayTimes } from './process-time';
import { measureSteady, readRecipients, type Recipient, saySteady, STEADY_SECONDS } from './steady-sends';

const DEVICES = Number(process.env.BENCH_MIXED_DEVICES ?? 1_000_000);
/** By how much the 99th percentile may grow. */
const MOST_MORE_MS = 50;

const MESSAGE = { content: 'Your parcel is on its way', notification: { title: 'Parcel', body: 'It comes today' } };
const CAMPAIGN = { target: { deviceType: 'android' }, content: 'The sale begins' };

/** How long a message to one user takes from its answer to the vendor during a campaign, and without one. */
export const mixedRow: BenchRow = {
  name: 'mixed',
  about: `answer to vendor, p99 of 100 single sends a second during a campaign to ${DEVICES.toLocaleString('en')} devices, and without it plus ${MOST_MORE_MS} ms`,
  run: async (progress) => {
    const bench = await startBenchSystem(true);
    try {
      const { databaseUrl } = bench.databases;
      await seedApplication(databaseUrl, { appId: bench.appId, devices: DEVICES, mix: { fcm: 1 }, reachable: true });
      const recipients = await readRecipients(bench);
      await measureSteady(bench, MESSAGE, recipients.slice(0, 100));
      const alone = await measureSteady(bench, MESSAGE, recipients);
      progress(saySteady('alone', alone));
      const beside = await measureBeside(bench, recipients, progress);
      const yardstick = alone.p99 + MOST_MORE_MS;
      const ratio = Math.round((beside / yardstick) * 100) / 100;
      const met = beside <= yardstick;
      return { row: 'mixed', ours: beside, yardstick, unit: 'ms', ratio, goal: '<= 1', met };
    } finally {
      await bench.stop();
    }
  },
};

/** @returns the 99th percentile during a campaign. @throws if the campaign was over before the last message */
async function measureBeside(
  bench: BenchSystem,
  recipients: readonly Recipient[],
  progress: (line: string) => void,
): Promise<number> {
  const time = await ProcessTime.of(bench);
  const before = time.read();
  let isOver = false;
  const campaign = runCampaign(bench, CAMPAIGN, DEVICES).finally(() => (isOver = true));
  const beside = await measureSteady(bench, MESSAGE, recipients);
  if (isOver) throw new Error(`The campaign was over within these ${STEADY_SECONDS} s: take a larger one`);
  const speed = await campaign;
  progress(saySteady(`beside a campaign at ${speed.toFixed(0)} devices/s`, beside));
  progress(`processor time of all that, for each device of the campaign: ${sayTimes(before, time.read(), DEVICES)}`);
  return beside.p99;
}
