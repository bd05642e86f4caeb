import { openAsBlob } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { temporaryFolder } from '../embedded/temporary-folder';
import { atMost, type BenchRow } from './bench-row';
import { type BenchSystem, startBenchSystem } from './bench-system';
import { MemoryWatch } from './resident-memory';
import { measureInTurns } from './rounds';
import { writeLines } from './write-lines';
import { copyBare } from './yardsticks/psql-copy';

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 12;

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
    try {
      await client.connect();
      const file = join(folder, 'codes.csv');
      await writeLines(join(folder, 'few.csv'), { count: WARM_UP_CODES, line: codeOf });
      await writeLines(file, { count: CODES, line: codeOf });
      await upload(bench, join(folder, 'few.csv'), WARM_UP_CODES);
      const memory = new MemoryWatch(bench, ['gateway', 'promo-worker'], MOST_GROWTH_MIB);
      const measured = await measureInTurns(
        { rounds: ROUNDS, unit: 'ms', progress },
        {
          yardstick: async () => {
            await client.query('CHECKPOINT');
            return copyBare(client, bench.databases.databaseUrl, { columns: 'code text PRIMARY KEY', file });
          },
          ours: async () => {
            await client.query('CHECKPOINT');
            return upload(bench, file, CODES);
          },
        },
      );
      const isFlat = memory.end(progress);
      const result = atMost(1, 'promo', 'ms', measured.ours, measured.yardstick);
      return { ...result, met: result.met && isFlat };
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
