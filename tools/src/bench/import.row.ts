import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { temporaryFolder } from '../embedded/temporary-folder';
import { Api } from '../start/api';
import { atMost, type BenchRow, median, withFurther } from './bench-row';
import { type BenchSystem, startBenchSystem } from './bench-system';
import { ProcessTime, sayTimes } from './process-time';
import { MemoryWatch } from './resident-memory';
import { measureInTurns } from './rounds';
import { writeLines } from './write-lines';
import { copyAlike, copyBare } from './yardsticks/psql-copy';

const DEVICES = Number(process.env.BENCH_IMPORT_DEVICES ?? 1_000_000);
const WARM_UP_DEVICES = 10_000;
const ROUNDS = Number(process.env.BENCH_IMPORT_ROUNDS ?? 1);
const MOST_GROWTH_MIB = 96;
const LOOK_EVERY_MS = 100;

const HEADER =
  'id,identifier,session_count,language,timezone,game_version,device_os,device_type,device_model,tags,last_active,created_at,invalid_identifier,external_user_id';
const COLUMNS = `id text, identifier text PRIMARY KEY, session_count int, language text, timezone int, game_version text, device_os text,
  device_type int, device_model text, tags jsonb, last_active timestamptz, created_at timestamptz, invalid_identifier boolean,
  external_user_id text`;

const ALIKE = "\\copy of the same rows into tables like the product's users and installations";

/** How long a file of devices takes from the upload until all of them can be sent to. */
export const importRow: BenchRow = {
  name: 'import',
  about: `a file of ${DEVICES.toLocaleString('en')} devices over HTTP until all are imported (goal 60 s on two quiet cores), beside psql \\copy of the same file into a bare table, and of the same devices and users into tables like the product's`,
  run: async (progress) => {
    const bench = await startBenchSystem(true);
    const folder = await temporaryFolder('bench-import');
    const client = new Client({ connectionString: bench.databases.databaseUrl });
    try {
      await client.connect();
      await writeDevices(join(folder, 'few.csv'), WARM_UP_DEVICES, 'warm');
      await importFile(bench, join(folder, 'few.csv'), WARM_UP_DEVICES);
      const memory = new MemoryWatch(bench, ['gateway', 'audience-worker'], MOST_GROWTH_MIB);
      const time = await ProcessTime.of(bench);
      const alike: number[] = [];
      const fileOf = (round: number): string => join(folder, `devices-${round}.csv`);
      const measured = await measureInTurns(
        { rounds: ROUNDS, unit: 'ms', progress },
        {
          yardstick: async (round) => {
            await writeDevices(fileOf(round), DEVICES, `round${round}`);
            await client.query('CHECKPOINT');
            const bare = { columns: COLUMNS, format: 'WITH (FORMAT csv, HEADER)', file: fileOf(round) };
            return copyBare(client, bench.databases.databaseUrl, bare);
          },
          ours: async (round) => {
            await client.query('CHECKPOINT');
            const before = time.read();
            const milliseconds = await importFile(bench, fileOf(round), DEVICES);
            progress(`processor time a device: ${sayTimes(before, time.read(), DEVICES)}`);
            await client.query('CHECKPOINT');
            alike.push(await copyAlike(client, bench.databases.databaseUrl, { copied: rowsOf(round), folder }));
            return milliseconds;
          },
        },
      );
      const isFlat = memory.end(progress);
      const result = atMost(4, 'import', 'ms', measured.ours, measured.yardstick);
      const row = withFurther(result, ALIKE, measured.ours, median(alike));
      return { ...row, met: row.met && isFlat };
    } finally {
      await client.end();
      await bench.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** What the import of a round wrote: users first, because devices name them. */
function rowsOf(round: number): { table: string; where: string }[] {
  return [
    { table: 'users', where: `user_id LIKE 'round${round}-%'` },
    { table: 'installations', where: `token LIKE 'round${round}-%'` },
  ];
}

/** Writes an export in the format of OneSignal: a third of the users have two devices. */
function writeDevices(path: string, count: number, prefix: string): Promise<void> {
  return writeLines(path, { head: `${HEADER}\n`, count, line: (n) => lineOf(n, prefix) });
}

function lineOf(n: number, prefix: string): string {
  const token = `${prefix}-${n.toString(36).padStart(6, '0')}:APA91b${'x'.repeat(120)}${n}`;
  const minutes = String(n % 60).padStart(2, '0');
  const tags = `"{""plan"":""${n % 3 === 0 ? 'gold' : 'free'}"",""level"":""${n % 50}""}"`;
  const times = `2026-05-${String((n % 28) + 1).padStart(2, '0')} 09:${minutes}:00,2025-01-01 00:${minutes}:00`;
  const user = `${prefix}-user-${Math.floor(n * 0.75)}`;
  return `${n},${token},${n % 90},nl,3600,4.${n % 9}.0,${10 + (n % 6)},1,Pixel ${n % 9},${tags},${times},f,${user}`;
}

/** @returns milliseconds from the request until the job is done */
async function importFile(bench: BenchSystem, file: string, devices: number): Promise<number> {
  const begun = performance.now();
  const answer = await fetch(`${bench.system.gatewayUrl}/api/installations/import`, {
    method: 'POST',
    headers: { 'x-access-token': bench.serverToken, 'content-type': 'text/csv' },
    body: createReadStream(file),
    duplex: 'half',
  });
  const { jobId } = (await answer.json()) as { jobId?: string };
  if (jobId === undefined) throw new Error(`The file was refused: ${answer.status}`);
  const api = new Api(bench.system.gatewayUrl, bench.serverToken);
  for (;;) {
    const { body } = await api.call<{ status: string; created: number; reason: string | null }>(
      'GET',
      `/api/installations/import/${jobId}`,
    );
    if (body.status === 'done' && body.created === devices) return performance.now() - begun;
    if (body.status !== 'working') throw new Error(`The import ended as ${JSON.stringify(body)}`);
    await pause(LOOK_EVERY_MS);
  }
}
