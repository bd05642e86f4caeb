import { countAudience } from '@postrider/audience';
import { createDataSource, type Database, rows } from '@postrider/persistence';
import { Secret } from '@postrider/platform';
import { seedApplication } from '../seed/seed-application';
import { atMost, type BenchRow } from './bench-row';
import { startBenchSystem } from './bench-system';
import { COUNT_RULES, type CountRule } from './count-rules';

const DEVICES = Number(process.env.BENCH_COUNT_DEVICES ?? 1_000_000);
const ROUNDS = 5;

/** How long it takes to count a dozen typical segments of a million devices. */
export const countRow: BenchRow = {
  name: 'count',
  about: `counting ${COUNT_RULES.length} typical segments of ${DEVICES.toLocaleString('en')} devices, beside hand-written SQL for the same rules`,
  run: async (progress) => {
    const bench = await startBenchSystem(false);
    const database = createDataSource(new Secret(bench.databases.databaseUrl), 2, { applicationName: 'bench' });
    try {
      await database.initialize();
      await seedApplication(bench.databases.databaseUrl, { appId: bench.appId, devices: DEVICES });
      await database.query('VACUUM ANALYZE installations, users');
      const total = { ours: 0, yardstick: 0 };
      for (const rule of COUNT_RULES) {
        const best = await measure(database, bench.appId, rule);
        total.ours += best.ours;
        total.yardstick += best.yardstick;
        progress(
          `${rule.name.padEnd(18)} ${best.ours.toFixed(0)} beside ${best.yardstick.toFixed(0)} ms, ${best.count} devices`,
        );
      }
      return atMost(1.2, 'count', 'ms', total.ours, total.yardstick);
    } finally {
      if (database.isInitialized) await database.destroy();
      await bench.stop();
    }
  },
};

interface Measured {
  ours: number;
  yardstick: number;
  count: number;
}

/** Returns the best of some rounds, in turns. @throws if the two do not count the same */
async function measure(database: Database, appId: string, rule: CountRule): Promise<Measured> {
  const now = new Date();
  const best: Measured = { ours: Infinity, yardstick: Infinity, count: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const [theirCount, theirs] = await timed(() => countByHand(database, appId, now, rule));
    const [ourCount, ours] = await timed(() => countWithRules(database, appId, now, rule));
    if (ourCount !== theirCount) throw new Error(`${rule.name}: ${ourCount} devices, by hand ${theirCount}`);
    best.ours = Math.min(best.ours, ours);
    best.yardstick = Math.min(best.yardstick, theirs);
    best.count = ourCount;
  }
  return best;
}

async function countWithRules(database: Database, appId: string, now: Date, { segment }: CountRule): Promise<number> {
  const who = { kind: 'rules' as const, segment };
  const { count } = await countAudience(database, {
    appId,
    acceptedAt: now,
    channel: 'public/default',
    who,
    reach: 'any',
  });
  return count;
}

/** The bench's application has credentials for FCM and APNs, so its other devices cannot be reached. */
async function countByHand(database: Database, appId: string, now: Date, rule: CountRule): Promise<number> {
  const [row] = await rows<{ n: number }>(
    database,
    `SELECT count(*)::integer AS n FROM installations i
      ${rule.joinsUsers ? 'LEFT JOIN users u ON u.app_id = i.app_id AND u.user_id = i.user_id' : ''}
      WHERE i.app_id = $1 AND i.usable_vendor IN ('fcm', 'apns') AND $2::timestamptz IS NOT NULL AND (${rule.sql})`,
    [appId, now],
  );
  return row?.n ?? -1;
}

async function timed(work: () => Promise<number>): Promise<[count: number, milliseconds: number]> {
  const begun = performance.now();
  const count = await work();
  return [count, performance.now() - begun];
}
