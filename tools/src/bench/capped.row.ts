import { seedApplication } from '../seed/seed-application';
import { atLeast, type BenchRow } from './bench-row';
import { type BenchSystem, startBenchSystem, withClient } from './bench-system';
import { runCampaign } from './campaign';
import { measureInTurns } from './rounds';

/** This many devices; a million takes some minutes. */
const DEVICES = Number(process.env.BENCH_CAPPED_DEVICES ?? 100_000);
const ROUNDS = 3;

const COUNTED = {
  target: { deviceType: 'android' },
  trackId: 'bench',
  content: 'The sale begins',
  notification: { title: 'Sale', body: 'Everything must go' },
};
/** The same campaign, but the caps do not count it. */
const UNCOUNTED = { ...COUNTED, isTest: true };

/** How much of a campaign's speed is left if each user's campaigns are counted, and checked against caps. */
export const cappedRow: BenchRow = {
  name: 'capped',
  about: `byQuery to ${DEVICES.toLocaleString('en')} devices in an application with frequency caps, beside the same campaign uncounted`,
  run: async (progress) => {
    const bench = await startBenchSystem(true);
    try {
      const { databaseUrl } = bench.databases;
      await seedApplication(databaseUrl, { appId: bench.appId, devices: DEVICES, mix: { fcm: 1 }, reachable: true });
      const plain = await runCampaign(bench, COUNTED, DEVICES);
      await setCaps(bench);
      const recalled = await runCampaign(bench, COUNTED, DEVICES);
      progress(`first under the caps: ${recalled.toFixed(0)} beside ${plain.toFixed(0)} devices/s before them`);
      const measured = await measureInTurns(
        { rounds: ROUNDS, unit: 'devices/s', progress },
        {
          yardstick: () => runCampaign(bench, UNCOUNTED, DEVICES),
          ours: () => runCampaign(bench, COUNTED, DEVICES),
        },
      );
      await checkCounts(bench);
      return atLeast(0.8, 'capped', 'devices/s', measured.ours, measured.yardstick);
    } finally {
      await bench.stop();
    }
  },
};

/** Sets caps that no user reaches here, as the admin API writes them. */
async function setCaps(bench: BenchSystem): Promise<void> {
  const caps = [
    { messages: 20, seconds: 86_400 },
    { messages: 50, seconds: 604_800 },
  ];
  await withClient(bench, (client) =>
    client.query('UPDATE applications SET frequency_caps = $1, contacts_since = now() WHERE app_id = $2', [
      JSON.stringify(caps),
      bench.appId,
    ]),
  );
}

/** @throws if a user was not counted for each campaign of the row */
async function checkCounts(bench: BenchSystem): Promise<void> {
  const { rows } = await withClient(bench, (client) =>
    client.query<{ wrong: string }>(
      `SELECT (SELECT count(*) FROM installations WHERE app_id = $1) * $2
         - (SELECT sum(cardinality(device_ids)) FROM user_contacts WHERE app_id = $1) AS wrong`,
      [bench.appId, ROUNDS + 2],
    ),
  );
  if (Number(rows[0]?.wrong) !== 0) throw new Error(`${rows[0]?.wrong} deliveries were not counted`);
}
