import { Pool } from 'undici';

/** One request of a load. */
export interface LoadRequest {
  path: string;
  body: string;
}

/**
 * Sends requests for `seconds` over `connections` keep-alive connections, each with one request at a time.
 * @returns requests answered with 200 per second
 * @throws on the first other answer: a fast wrong answer does not count
 */
export async function loadHttp(
  url: string,
  connections: number,
  seconds: number,
  next: (n: number) => LoadRequest,
): Promise<number> {
  const pool = new Pool(url, { connections });
  const begun = performance.now();
  const end = begun + seconds * 1_000;
  let sent = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < end) {
      const { path, body } = next(sent++);
      const answer = await pool.request({
        path,
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  const elapsed = (performance.now() - begun) / 1_000;
  await pool.close();
  return sent / elapsed;
}
