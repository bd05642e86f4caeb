import { seedApplication } from '../seed/seed-application';
import { atLeast, type BenchRow } from './bench-row';
import { type BenchSystem, startBenchSystem, withClient } from './bench-system';
import { runCampaign } from './campaign';
import { measureInTurns } from './rounds';

const DEVICES = 100_000;
const ROUNDS = 3;

const PLAIN = {
  target: { deviceType: 'android' },
  trackId: 'bench',
  content: 'The sale begins',
  notification: { title: 'Sale', body: 'Everything must go' },
};
const LOCALIZED = {
  ...PLAIN,
  localized: {
    fa: { content: 'حراج شروع شد', notification: { title: 'حراج', body: 'همه چیز باید برود' } },
    de: { content: 'Der Ausverkauf beginnt', notification: { title: 'Ausverkauf', body: 'Alles muss raus' } },
  },
};

/** How much of a campaign's speed is left if each device gets its own language. */
export const languagesRow: BenchRow = {
  name: 'languages',
  about:
    'byQuery to 100,000 devices in three languages, of which a third asks its users, beside the same campaign in one',
  run: async (progress) => {
    const bench = await startBenchSystem(true);
    try {
      const { databaseUrl } = bench.databases;
      await seedApplication(databaseUrl, { appId: bench.appId, devices: DEVICES, mix: { fcm: 1 }, reachable: true });
      await setLocales(bench);
      const measured = await measureInTurns(
        { rounds: ROUNDS, unit: 'devices/s', progress },
        {
          yardstick: () => runCampaign(bench, PLAIN, DEVICES),
          ours: () => runCampaign(bench, LOCALIZED, DEVICES),
        },
      );
      await checkLanguages(bench);
      return atLeast(0.8, 'languages', 'devices/s', measured.ours, measured.yardstick);
    } finally {
      await bench.stop();
    }
  },
};

/** A third of the devices has each language; the others' locale has none, nor has their users'. */
function setLocales(bench: BenchSystem): Promise<unknown> {
  return withClient(bench, async (client) => {
    await client.query(
      `UPDATE installations SET locale = (ARRAY['fa-IR', 'de-AT', 'en-US'])[1 + id % 3] WHERE app_id = $1`,
      [bench.appId],
    );
    await client.query('VACUUM ANALYZE installations');
  });
}

/** @throws if a packed delivery is not in the language of its device */
async function checkLanguages(bench: BenchSystem): Promise<void> {
  const { rows } = await withClient(bench, (client) =>
    client.query<{ wrong: string; named: string }>(
      `SELECT count(*) FILTER (WHERE k.language IS DISTINCT FROM nullif(left(i.locale, 2), 'en')) AS wrong, count(*) AS named
       FROM messages m JOIN delivery_packs k ON k.app_id = m.app_id AND k.message_id = m.id
       CROSS JOIN LATERAL unnest(k.device_ids) AS device (id)
       JOIN installations i ON i.app_id = m.app_id AND i.id = device.id
       WHERE m.app_id = $1 AND m.content ? 'localized'`,
      [bench.appId],
    ),
  );
  if (Number(rows[0]?.wrong) !== 0 || Number(rows[0]?.named) !== ROUNDS * DEVICES)
    throw new Error(`${rows[0]?.wrong} of ${rows[0]?.named} deliveries are in another language than their devices`);
}
