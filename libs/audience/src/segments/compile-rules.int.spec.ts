import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { type JsonObject, versionSortKey } from '@postrider/domain';
import { rows, sql } from '@postrider/persistence';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import type { QueryRunner } from 'typeorm';
import { compileRules } from './compile-rules';
import { parseRules } from './parse-rules';
import { evaluateRules, type ReferenceDevice } from './reference/evaluate-rules';
import { household, NOW } from './reference/random-devices';
import { rules } from './reference/random-rules';

/** `POSTRIDER_SEGMENT_ROUNDS=500` runs for some minutes; `POSTRIDER_SEGMENT_SEED` repeats a run. */
const ROUNDS = Number(process.env.POSTRIDER_SEGMENT_ROUNDS ?? 6);
const SEED = Number(process.env.POSTRIDER_SEGMENT_SEED ?? Math.floor(Math.random() * 2 ** 31));
const HOUSEHOLDS = 200;
const RULES_PER_ROUND = 150;

type Rules = { target?: JsonObject; segment?: JsonObject };

let database: ThrowAwayDatabase;
/** A session that uses indexes where they exist, however small the table. */
let byIndex: QueryRunner;

beforeAll(async () => {
  database = await createThrowAwayDatabase();
  byIndex = database.dataSource.createQueryRunner();
  // Any zone except UTC: the time settings of the session must not matter.
  await byIndex.query(`SET enable_seqscan = off; SET timezone = 'America/Caracas'; SET datestyle = 'German, DMY'`);
});

afterAll(async () => {
  await byIndex.release();
  await database.drop();
});

/** Stores a population as registration does. @returns the devices by installation id */
async function store(appId: string, devices: ReferenceDevice[]): Promise<Map<string, ReferenceDevice>> {
  const stored = new Map(devices.map((device) => [randomUUID() as string, device]));
  const { dataSource } = database;
  await rows(dataSource, `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ($1, $1, '')`, [appId]);
  await rows(
    dataSource,
    `INSERT INTO users (app_id, user_id, attributes)
     SELECT DISTINCT ON (user_id) $1, user_id, attributes FROM jsonb_to_recordset($2) AS u (user_id text, attributes jsonb)
     WHERE attributes <> '{}'`,
    [appId, JSON.stringify(devices.map((device) => ({ user_id: device.userId, attributes: device.userAttributes })))],
  );
  await rows(
    dataSource,
    `INSERT INTO installations (app_id, installation_id, user_id, device_type, os_version, os_version_key, client_version,
       client_version_key, launch_count, launch_time, install_date, tags, tag_values, attributes, registration, time_zone,
       locale, realtime, latitude, longitude)
     SELECT $1, id, user_id, device_type, os_version, os_version_key, client_version, client_version_key, launch_count,
       launch_time, install_date, ARRAY(SELECT jsonb_array_elements_text(tags)), tag_values, attributes, registration,
       time_zone, locale, realtime, latitude, longitude
     FROM jsonb_to_recordset($2) AS d (id uuid, user_id text, device_type text, os_version text, os_version_key text,
       client_version text, client_version_key text, launch_count bigint, launch_time timestamptz, install_date timestamptz,
       tags jsonb, tag_values jsonb, attributes jsonb, registration jsonb, time_zone text, locale text, realtime boolean,
       latitude float8, longitude float8)`,
    [appId, JSON.stringify([...stored].map(([id, device]) => columnsOf(id, device)))],
  );
  await connect(
    appId,
    [...stored].flatMap(([id, { isOnline }]) => (isOnline ? [id] : [])),
  );
  return stored;
}

/** Half of those that are not online have a connection on an edge that is dead. */
async function connect(appId: string, online: string[]): Promise<void> {
  const { dataSource } = database;
  await rows(
    dataSource,
    `INSERT INTO edges (edge_id, heartbeat_at) VALUES ('alive', 'infinity'), ('dead', now() - interval '1 hour')
     ON CONFLICT DO NOTHING`,
  );
  await rows(
    dataSource,
    `INSERT INTO presence (app_id, id, edge_id, epoch)
     SELECT app_id, id, CASE WHEN installation_id = ANY ($2::uuid[]) THEN 'alive' ELSE 'dead' END, 1 FROM installations
     WHERE app_id = $1 AND (installation_id = ANY ($2::uuid[]) OR id % 2 = 0)`,
    [appId, online],
  );
}

function columnsOf(id: string, device: ReferenceDevice): JsonObject {
  const { timeZone = null, locale = null, realtime = false, ...registration } = device.registration;
  return {
    id,
    user_id: device.userId,
    device_type: device.deviceType,
    os_version: device.osVersion,
    os_version_key: device.osVersion === null ? null : versionSortKey(device.osVersion),
    client_version: device.clientVersion,
    client_version_key: device.clientVersion === null ? null : versionSortKey(device.clientVersion),
    launch_count: device.launchCount,
    launch_time: timestamp(device.launchTime),
    install_date: timestamp(device.installDate),
    tags: device.tags,
    tag_values: device.tagValues,
    attributes: device.attributes,
    registration,
    time_zone: timeZone,
    locale,
    realtime,
    latitude: device.location?.lat ?? null,
    longitude: device.location?.lng ?? null,
  };
}

/** PostgreSQL writes the year 0 as 1 BC, and years of five digits without a sign. */
function timestamp(date: Date): string {
  const text = date.toISOString().replace(/^\+0/, '');
  return text.startsWith('0000') ? `0001${text.slice(4)} BC` : text;
}

/** The ids of the devices that match by SQL: evaluated for each device (never NULL), and found by an index. */
async function matching(appId: string, asked: Rules): Promise<{ asked: Set<string>; found: Set<string> }> {
  const { condition, join: shared, needsUsers } = compileRules(asked, { now: NOW });
  const users = needsUsers ? sql`LEFT JOIN users u ON u.app_id = i.app_id AND u.user_id = i.user_id` : sql``;
  const join = sql`${users} ${shared}`;
  const answers = await rows<{ id: string; matches: boolean | null }>(
    database.dataSource,
    sql`SELECT i.installation_id AS id, ${condition} AS matches FROM installations i ${join} WHERE i.app_id = ${appId}`,
  );
  expect(answers.filter(({ matches }) => matches === null)).toEqual([]);
  const { text, values } =
    sql`SELECT i.installation_id AS id FROM installations i ${join} WHERE i.app_id = ${appId} AND ${condition}`.toQuery();
  const found = (await byIndex.query(text, values)) as { id: string }[];
  return {
    asked: new Set(answers.filter(({ matches }) => matches).map(({ id }) => id)),
    found: new Set(found.map(({ id }) => id)),
  };
}

/** Devices of the population for which SQL and the evaluator disagree. */
function disagreements(
  population: Map<string, ReferenceDevice>,
  asked: Rules,
  byDatabase: { asked: Set<string>; found: Set<string> },
): object[] {
  const group = parseRules(asked);
  return [...population].flatMap(([id, device]) => {
    const expected = evaluateRules(group, device, NOW);
    const [one, other] = [byDatabase.asked.has(id), byDatabase.found.has(id)];
    return one === expected && other === expected ? [] : [{ expected, one, other, device }];
  });
}

describe('compiled rules', () => {
  it(
    'choose the devices that the reference evaluator chooses, whatever the devices and the rules',
    async () => {
      let [pairs, matches] = [0, 0];
      for (let round = 0; round < ROUNDS; round++) {
        const seed = SEED + round;
        const appId = `app-${round}`;
        const population = await store(appId, fc.sample(household, { seed, numRuns: HOUSEHOLDS }).flat());
        await database.dataSource.query('ANALYZE installations, users');
        await fc.assert(
          fc.asyncProperty(rules, async (asked) => {
            const byDatabase = await matching(appId, asked);
            expect(disagreements(population, asked, byDatabase).slice(0, 2)).toEqual([]);
            pairs += population.size;
            matches += byDatabase.asked.size;
          }),
          { seed, numRuns: RULES_PER_ROUND, interruptAfterTimeLimit: 280_000, markInterruptAsFailure: true },
        );
        await database.dataSource.query('TRUNCATE installations, users CASCADE');
      }
      console.info(`${pairs} pairs of device and rules compared, ${matches} matching; seed ${SEED}`);
      // A test in which everybody or nobody matches would prove nothing.
      expect(matches / pairs).toBeGreaterThan(0.1);
      expect(matches / pairs).toBeLessThan(0.9);
    },
    300_000 + ROUNDS * 30_000,
  );
});
