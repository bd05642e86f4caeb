import { openAsBlob, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { temporaryFolder } from '../embedded/temporary-folder';
import { atMost, type BenchRow, median } from './bench-row';
import { type BenchSystem, startBenchSystem } from './bench-system';
import { ResidentMemory } from './resident-memory';
import { copyBare } from './yardsticks/psql-copy';
import { once } from 'node:events';

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 12;
const LINES_AT_ONCE = 10_000;

/** Writes a file of different codes in no order, one a line. The same number gives the same file. */
async function writeCodes(path: string, count: number): Promise<void> {
  const file = createWriteStream(path);
  let text = '';
  for (let n = 0; n < count; n++) {
    text += `${codeOf(n)}\n`;
    if (n % LINES_AT_ONCE === 0 || n === count - 1) {
      if (!file.write(text)) await once(file, 'drain');
      text = '';
    }
  }
  file.end();
  await once(file, 'finish');
}

/** 60 bits: an odd factor permutes the numbers below 2^60, so that no two are the same. */
function codeOf(n: number): string {
  let bits = BigInt.asUintN(5 * LENGTH, BigInt(n + 1) * 0x9e3779b97f4a7c15n);
  let code = '';
  for (let i = 0; i < LENGTH; i++) {
    code += LETTERS.charAt(Number(bits & 31n));
    bits >>= 5n;
  }
  return code;
}

const CODES = Number(process.env.BENCH_PROMO_CODES ?? 1_000_000);
const WARM_UP_CODES = 20_000;
const ROUNDS = 3;
const MOST_GROWTH_MIB = 64;

/** How long a file of promo codes takes from the upload until it is in force. */
export const promoRow: BenchRow = {
  name: 'promo',
  about: `a file of ${CODES.toLocaleString('en')} promo codes over HTTP until it is in force, beside psql \\copy of the same file into a bare table with a primary key`,
  run: async (progress) => {
    const bench = await startBenchSystem(true);
    const folder = await temporaryFolder('bench-promo');
    const client = new Client({ connectionString: bench.databases.databaseUrl });
    const apps = ['gateway', 'promo-worker'] as const;
    try {
      await client.connect();
      const file = join(folder, 'codes.csv');
      await writeCodes(join(folder, 'few.csv'), WARM_UP_CODES);
      await writeCodes(file, CODES);
      await upload(bench, join(folder, 'few.csv'), WARM_UP_CODES);
      const memory = apps.map((app) => new ResidentMemory(bench.system.pidOf(app) ?? 0));
      const measured = { ours: [] as number[], yardstick: [] as number[] };
      for (let round = 1; round <= ROUNDS; round++) {
        await client.query('CHECKPOINT');
        measured.yardstick.push(
          await copyBare(client, bench.databases.databaseUrl, { columns: 'code text PRIMARY KEY', file }),
        );
        await client.query('CHECKPOINT');
        measured.ours.push(await upload(bench, file, CODES));
        progress(
          `round ${round}: ${measured.ours.at(-1)?.toFixed(0)} beside ${measured.yardstick.at(-1)?.toFixed(0)} ms`,
        );
      }
      const grown = memory.map((one) => one.stop());
      apps.forEach((app, index) =>
        progress(
          `${app}: resident memory grew by ${grown[index]?.toFixed(0)} MiB at most (goal <= ${MOST_GROWTH_MIB})`,
        ),
      );
      const result = atMost(1, 'promo', 'ms', median(measured.ours), median(measured.yardstick));
      return { ...result, met: result.met && grown.every((mib) => mib <= MOST_GROWTH_MIB) };
    } finally {
      await client.end();
      await bench.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** @returns milliseconds from the request to the answer, which comes when the set is in force */
async function upload(bench: BenchSystem, file: string, codes: number): Promise<number> {
  const form = new FormData();
  form.append('file', await openAsBlob(file), 'codes.csv');
  const begun = performance.now();
  const answer = await fetch(`${bench.system.gatewayUrl}/api/containers/updateGlobalPromoCodes`, {
    method: 'POST',
    headers: { 'x-access-token': bench.serverToken },
    body: form,
  });
  const milliseconds = performance.now() - begun;
  const body = (await answer.json()) as { totalRows?: number };
  if (body.totalRows !== codes) throw new Error(`Answered ${JSON.stringify(body)} instead of ${codes} codes`);
  return milliseconds;
}
