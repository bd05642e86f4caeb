import { Pool } from 'undici';

/** What a load of clicks measured. */
export interface ClickLoad {
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
 *
 * @throws on the first answer that is no redirect: a fast wrong answer is no speed
 */
export async function loadClicks(url: string, connections: number, seconds: number, path: string): Promise<ClickLoad> {
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
