import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { BenchSystem } from './bench-system';
import { atLeast, type BenchResult, median } from './bench-row';
import { type LoadRequest, loadHttp } from './http-load';

/** The goal is for the last; requests that come alone cannot share a statement, so the first show what one costs. */
const CONNECTIONS = [1, 4, 32];
const SECONDS = 5;
const ROUNDS = 3;

/** The nth request of a round to the gateway, and to the bare handler beside it. */
export interface Asked {
  ours(n: number): LoadRequest;
  theirs(n: number): LoadRequest;
}

/** How many requests a second a gateway answers, beside a bare Fastify handler on the same databases, in turns. */
export async function besideBareHandler(
  row: string,
  bench: BenchSystem,
  progress: (text: string) => void,
  { ours, theirs }: Asked,
): Promise<BenchResult> {
  const yardstick = await startYardstick(bench.databases.databaseUrl, bench.databases.redisUrl);
  try {
    let last: BenchResult | undefined;
    for (const connections of CONNECTIONS) {
      const measured = { ours: [] as number[], yardstick: [] as number[] };
      for (let round = 1; round <= ROUNDS; round++) {
        measured.yardstick.push(await loadHttp(yardstick.url, connections, SECONDS, theirs));
        measured.ours.push(await loadHttp(bench.system.gatewayUrl, connections, SECONDS, ours));
        progress(
          `round ${round}, connections ${connections}: ${measured.ours.at(-1)?.toFixed(0)} beside ${measured.yardstick.at(-1)?.toFixed(0)} requests/s`,
        );
      }
      last = atLeast(0.7, row, 'requests/s', median(measured.ours), median(measured.yardstick));
      progress(`connections ${connections}: ${last.ours} beside ${last.yardstick} requests/s, ${last.ratio}`);
    }
    if (last === undefined) throw new Error('Nothing was measured');
    return last;
  } finally {
    yardstick.stop();
  }
}

async function startYardstick(databaseUrl: string, redisUrl: string): Promise<{ url: string; stop(): void }> {
  const child = spawn(process.execPath, [join(__dirname, 'yardsticks', 'bare-fastify.js')], {
    env: { ...process.env, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: line.toString().trim(), stop: () => child.kill() };
}
