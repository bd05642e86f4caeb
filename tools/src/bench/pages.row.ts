import { makeCursor } from '@postrider/contracts';
import { createDataSource, type Database, PartitionsRepository } from '@postrider/persistence';
import { Secret } from '@postrider/platform';
import { Client } from 'pg';
import { seedApplication } from '../seed/seed-application';
import { Api } from '../start/api';
import { type BenchSystem, startBenchSystem } from './bench-system';
import { atMost, type BenchRow } from './bench-row';
import { measureCalls, type PageGateway, sayMeasured } from './pages/measure-calls';
import { pageCalls, type PageSubjects } from './pages/page-calls';
import { seedDeliveries } from './pages/seed-deliveries';
import { seedMessages } from './pages/seed-messages';
import { seedRooms } from './pages/seed-rooms';

const DEVICES = Number(process.env.BENCH_PAGES_DEVICES ?? 1_000_000);
const CAMPAIGNS = 10_000;
const MESSAGES = 100_000;
const TIMES = Number(process.env.BENCH_PAGES_TIMES ?? 100);
/** The number of past days with partitions; the messages are of the last 28. */
const PAST_DAYS = Number(process.env.BENCH_PAGES_DAYS ?? 90);
const DAYS_AHEAD = 14;
const LIMIT_MS = 200;
const DAY_MS = 86_400_000;

/** How long a page of the panel waits for its data, however much there is. */
export const pagesRow: BenchRow = {
  name: 'pages',
  about: `every request of the panel's pages with ${DEVICES.toLocaleString('en')} devices and ${CAMPAIGNS.toLocaleString('en')} campaigns; the slowest p95 beside ${LIMIT_MS} ms`,
  run: async (progress) => {
    const bench = await startBenchSystem(false);
    try {
      const subjects = await seedPages(bench, progress);
      const { system, appId, serverToken, adminToken } = bench;
      const gateway: PageGateway = { url: system.gatewayUrl, appId, serverToken, adminToken };
      const measured = await measureCalls(gateway, pageCalls(subjects), TIMES, (call) => progress(sayMeasured(call)));
      const limited = measured.filter(({ body }) => body === undefined);
      return atMost(1, 'pages', 'ms', Math.max(...limited.map(({ p95 }) => p95)), LIMIT_MS);
    } finally {
      await bench.stop();
    }
  },
};

/** Fills the ledger with the rows that the requests read. */
async function seedPages(bench: BenchSystem, progress: (line: string) => void): Promise<PageSubjects> {
  const { appId } = bench;
  const { databaseUrl } = bench.databases;
  await seedApplication(databaseUrl, { appId, devices: DEVICES });
  progress('seeded: devices');
  const database = await createDataSource(new Secret(databaseUrl), 2, { applicationName: 'bench' }).initialize();
  const client = new Client({ connectionString: databaseUrl });
  try {
    await client.connect();
    await new PartitionsRepository(database).ensure(new Date(Date.now() - PAST_DAYS * DAY_MS), PAST_DAYS + DAYS_AHEAD);
    const messages = await seedMessages(client, { appId, devices: DEVICES, campaigns: CAMPAIGNS, messages: MESSAGES });
    await seedDeliveries(client, appId, DEVICES);
    progress('seeded: messages and deliveries');
    const rooms = await seedRooms(client, appId, messages);
    return { appId, ...messages, ...rooms, ...(await findPlaces(bench, database)) };
  } finally {
    await client.end();
    await database.destroy();
  }
}

/** Returns cursors in the middle of long lists, and one device. */
async function findPlaces(
  { system, serverToken, appId }: BenchSystem,
  database: Database,
): Promise<Pick<PageSubjects, 'campaignCursor' | 'deliveryCursor' | 'installationId'>> {
  const api = new Api(system.gatewayUrl, serverToken);
  let campaignCursor = '';
  for (let part = 0; part < 20; part++) {
    const query = `limit=200${campaignCursor === '' ? '' : `&cursor=${campaignCursor}`}`;
    const { body } = await api.call<{ nextCursor: string }>('GET', `/api/push/campaigns?${query}`);
    campaignCursor = body.nextCursor;
  }
  const [device] = await database.query<{ id: string; middle: string }[]>(
    `SELECT installation_id AS id, (SELECT (min(id) + max(id)) / 2 FROM installations WHERE app_id = $1) AS middle
     FROM installations WHERE app_id = $1 AND user_id = 'user-4711' LIMIT 1`,
    [appId],
  );
  return { campaignCursor, deliveryCursor: makeCursor(device?.middle ?? ''), installationId: device?.id ?? '' };
}
