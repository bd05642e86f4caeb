import type { JsonObject } from '@postrider/domain';
import { Client } from 'pg';
import { Pool } from 'undici';
import type { BenchSystem } from './bench-system';

const CONNECTIONS = 32;
/** The load under which the time from the answer to the vendor is measured. */
const STEADY_A_SECOND = 100;
/** The duration. */
export const STEADY_SECONDS = 20;
const GIVE_UP_MS = 120_000;

/** How long after its answer the vendor had accepted a message, in milliseconds. */
interface SteadyWaits {
  messages: number;
  p50: number;
  p99: number;
  longest: number;
}

/** A user with one device. */
export interface Recipient {
  user: string;
  token: string;
}

/** At most this many: enough that no user gets two messages within some seconds. */
const MOST_RECIPIENTS = 20_000;

/** Returns the users of the application who have one device. */
export async function readRecipients({ databases, appId }: BenchSystem): Promise<Recipient[]> {
  const client = new Client({ connectionString: databases.databaseUrl });
  await client.connect();
  const { rows } = await client.query<Recipient>(
    `SELECT user_id AS user, min(token) AS token FROM installations WHERE app_id = $1 GROUP BY user_id
     HAVING count(*) = 1 LIMIT ${MOST_RECIPIENTS}`,
    [appId],
  );
  await client.end();
  return rows;
}

/**
 * Sends a hundred messages a second, each to one user, without waiting for earlier ones, and then waits until all are
 * recorded.
 */
export async function measureSteady(
  bench: BenchSystem,
  message: JsonObject,
  recipients: readonly { user: string }[],
): Promise<SteadyWaits> {
  const pool = new Pool(bench.system.gatewayUrl, { connections: CONNECTIONS });
  const answeredAt = new Map<string, number>();
  const path = `/api/push/toUsers?access_token=${bench.serverToken}`;
  const send = async (user: string): Promise<void> => {
    const body = JSON.stringify({ ...message, user });
    const answer = await pool.request({ path, method: 'POST', body, headers: { 'content-type': 'application/json' } });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}`);
    answeredAt.set(String(answer.headers['x-message-id']), Date.now());
  };
  const begun = performance.now();
  const sent: Promise<void>[] = [];
  for (let n = 0; n < STEADY_A_SECOND * STEADY_SECONDS; n++) {
    const wait = begun + (n * 1_000) / STEADY_A_SECOND - performance.now();
    if (wait > 0) await new Promise((later) => setTimeout(later, wait));
    sent.push(send(recipients[n % recipients.length]?.user ?? ''));
  }
  await Promise.all(sent);
  await pool.close();
  const waits = (await readSentAt(bench, [...answeredAt.keys()]))
    .map(({ id, at }) => Math.max(0, at - (answeredAt.get(id) ?? Number.NaN)))
    .sort((one, other) => one - other);
  const share = (part: number): number => waits[Math.floor(waits.length * part)] ?? Number.NaN;
  return { messages: waits.length, p50: share(0.5), p99: share(0.99), longest: waits.at(-1) ?? Number.NaN };
}

/** Returns the result as a line of text. */
export function saySteady(when: string, { messages, p50, p99, longest }: SteadyWaits): string {
  return `answer to vendor, ${STEADY_A_SECOND} a second, ${when}: p50 ${p50} ms, p99 ${p99} ms, longest ${longest} ms of ${messages}`;
}

/** Returns when the vendor accepted each of these messages. @throws if it has not accepted all of them after a while */
async function readSentAt(bench: BenchSystem, messageIds: readonly string[]): Promise<{ id: string; at: number }[]> {
  const client = new Client({ connectionString: bench.databases.databaseUrl });
  await client.connect();
  try {
    for (const begun = Date.now(); ;) {
      const { rows } = await client.query<{ id: string; at: number }>(
        `SELECT message_id AS id, (extract(epoch FROM sent_at) * 1000)::float8 AS at FROM deliveries
         WHERE app_id = $1 AND message_id = ANY ($2::uuid[]) AND sent_at IS NOT NULL`,
        [bench.appId, messageIds],
      );
      if (rows.length >= messageIds.length) return rows;
      if (Date.now() - begun > GIVE_UP_MS)
        throw new Error(`The vendor has taken ${rows.length} of ${messageIds.length} messages`);
      await new Promise((later) => setTimeout(later, 200));
    }
  } finally {
    await client.end();
  }
}
