import { seedApplication } from '../seed/seed-application';
import { type BenchSystem, startBenchSystem, withClient } from './bench-system';
import { atLeast, type BenchRow } from './bench-row';
import { runCampaign } from './campaign';
import { measureInTurns } from './rounds';

const DEVICES = 100_000;
const ROUNDS = 3;
const CODES_PER_ROW = 128;

const PLAIN = {
  target: { deviceType: 'android' },
  trackId: 'bench',
  content: 'The sale begins',
  notification: { title: 'Sale', body: '12 purchases, 33 years: your code is SPRING-123456' },
};
const PERSONAL = {
  ...PLAIN,
  notification: {
    title: 'Sale',
    body: '{{ user.purchase.count | default: "no" }} purchases, {{ user.age | default: "no" }} years: your code is {{ promoCode }}',
  },
};

/** How much of a campaign's speed is left if each user gets a promo code of their own in a text made for them. */
export const personalRow: BenchRow = {
  name: 'personal',
  about: 'byQuery to 100,000 devices with promo codes in personal texts, beside the same campaign without',
  run: async (progress) => {
    const bench = await startBenchSystem(true);
    try {
      await seedApplication(bench.databases.databaseUrl, {
        appId: bench.appId,
        devices: DEVICES,
        mix: { fcm: 1 },
        reachable: true,
      });
      await addPromoCodes(bench, DEVICES * (ROUNDS + 1));
      const measured = await measureInTurns(
        { rounds: ROUNDS, unit: 'devices/s', progress },
        {
          yardstick: () => runCampaign(bench, PLAIN, DEVICES),
          ours: () => runCampaign(bench, PERSONAL, DEVICES),
        },
      );
      await checkCodes(bench);
      return atLeast(0.9, 'personal', 'devices/s', measured.ours, measured.yardstick);
    } finally {
      await bench.stop();
    }
  },
};

/** Puts a global set in force, in the state after an import: this row measures how codes are handed out. */
async function addPromoCodes(bench: BenchSystem, count: number): Promise<void> {
  await withClient(bench, async (client) => {
    await client.query(
      `WITH made AS (
         INSERT INTO promo_sets (app_id, set_id, track_id, state, total, remaining, created_at, in_force_at)
         VALUES ($1, gen_random_uuid(), '', 'in_force', $2, $2, now(), now())
         RETURNING app_id, set_id
       )
       INSERT INTO promo_codes (app_id, set_id, number, codes)
       SELECT app_id, set_id, block, (
         SELECT string_agg('SPRING-' || n, E'\\n' ORDER BY n)
         FROM generate_series(block * $3 + 1, least($2, (block + 1) * $3)) n
       )
       FROM made CROSS JOIN generate_series(0, ($2 - 1) / $3) block`,
      [bench.appId, count, CODES_PER_ROW],
    );
    await client.query('ANALYZE promo_codes');
  });
}

/** @throws if the measured campaigns were wrong: there must be as many codes as users, none twice */
async function checkCodes(bench: BenchSystem): Promise<void> {
  await withClient(bench, async (client) => {
    const { rows } = await client.query<{ wrong: string }>(
      `SELECT (SELECT count(*) FROM deliveries d JOIN messages m ON m.app_id = d.app_id AND m.id = d.message_id
          WHERE m.content -> 'notification' ->> 'body' LIKE '%promoCode%' AND d.promo_code IS NULL)
        + (SELECT count(*) - count(DISTINCT code) FROM promo_assignments) AS wrong`,
    );
    if (Number(rows[0]?.wrong) !== 0) throw new Error(`${rows[0]?.wrong} deliveries have no code, or another user's`);
  });
}
