import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Api } from '../start/api';
import { atLeast, type BenchRow, median } from './bench-row';
import { startBenchSystem } from './bench-system';
import { Pool } from 'undici';

/** The result of a load of clicks. */
interface ClickLoad {
  /** Redirects per second. */
  rate: number;
  /** Of a hundred clicks, the slowest but one, in milliseconds. */
  p99Ms: number;
  clicks: number;
}

const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_4) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:124.0) Gecko/20100101 Firefox/124.0',
];

/**
 * Follows a link for `seconds` over `connections` keep-alive connections, each with one click at a time.
 * @throws on the first answer that is not a redirect: a fast wrong answer does not count
 */
async function loadClicks(url: string, connections: number, seconds: number, path: string): Promise<ClickLoad> {
  const pool = new Pool(url, { connections });
  const begun = performance.now();
  const end = begun + seconds * 1_000;
  const times: number[] = [];
  const person = async (n: number): Promise<void> => {
    const headers = { 'user-agent': AGENTS[n % AGENTS.length] ?? '' };
    while (performance.now() < end) {
      const started = performance.now();
      const answer = await pool.request({ path, method: 'GET', headers });
      await answer.body.dump();
      if (answer.statusCode !== 302) throw new Error(`${path} answered ${answer.statusCode}`);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, n) => person(n)));
  const elapsed = (performance.now() - begun) / 1_000;
  await pool.close();
  times.sort((one, other) => one - other);
  return { rate: times.length / elapsed, p99Ms: times[Math.floor(times.length * 0.99)] ?? 0, clicks: times.length };
}

const CONNECTIONS = 16;
const SECONDS = 5;
const ROUNDS = 3;
/** A gateway writes clicks a tenth of a second after they were made. */
const WRITTEN_WITHIN_MS = 10_000;

/** How many clicks on a tracker are redirected a second, every one recorded. */
export const trackerRow: BenchRow = {
  name: 'tracker',
  about: 'clicks on a tracker, redirected and recorded, beside a bare Fastify redirect',
  run: async (progress) => {
    const bench = await startBenchSystem(false);
    const yardstick = await startYardstick();
    try {
      const api = new Api(bench.system.gatewayUrl, bench.serverToken);
      const { body: tracker } = await api.call<{ id: string; url: string }>('POST', '/api/trackers', {
        name: 'Bench',
        destination: 'https://shop.example/',
      });
      const path = `${new URL(tracker.url).pathname}?redirect=${encodeURIComponent('https://shop.example/sale?a=b')}`;
      await loadClicks(bench.system.gatewayUrl, CONNECTIONS, 1, path);
      const before = await clicksOf(api, tracker.id, 1);
      const measured = { ours: [] as number[], yardstick: [] as number[] };
      let made = 0;
      for (let round = 1; round <= ROUNDS; round++) {
        const theirs = await loadClicks(yardstick.url, CONNECTIONS, SECONDS, path);
        const ours = await loadClicks(bench.system.gatewayUrl, CONNECTIONS, SECONDS, path);
        measured.yardstick.push(theirs.rate);
        measured.ours.push(ours.rate);
        made += ours.clicks;
        progress(
          `round ${round}: ${ours.rate.toFixed(0)} (p99 ${ours.p99Ms.toFixed(1)} ms) beside ${theirs.rate.toFixed(0)} ` +
            `(p99 ${theirs.p99Ms.toFixed(1)} ms) redirects/s`,
        );
      }
      const recorded = (await clicksOf(api, tracker.id, before + made)) - before;
      if (recorded !== made) throw new Error(`${made} clicks were made, ${recorded} recorded`);
      progress(`${recorded} clicks recorded, none lost`);
      return atLeast(0.5, 'tracker', 'redirects/s', median(measured.ours), median(measured.yardstick));
    } finally {
      yardstick.stop();
      await bench.stop();
    }
  },
};

/** Returns how many clicks are recorded, once there are `expected` or no more can be expected. */
async function clicksOf(api: Api, trackerId: string, expected: number): Promise<number> {
  const end = performance.now() + WRITTEN_WITHIN_MS;
  let last = -1;
  for (;;) {
    const { body } = await api.call<{ totals: { clicks: number } }>('GET', `/api/trackers/${trackerId}/stats`);
    const { clicks } = body.totals;
    if ((clicks >= expected && clicks === last) || performance.now() > end) return clicks;
    last = clicks;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function startYardstick(): Promise<{ url: string; stop(): void }> {
  const child = spawn(process.execPath, [join(__dirname, 'yardsticks', 'bare-redirect.js')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: line.toString().trim(), stop: () => child.kill() };
}
