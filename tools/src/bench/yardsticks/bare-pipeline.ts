import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { type ServiceAccount, signIn } from './google-token';
import { openSession, type SameRequest, sendTo } from './http2-session';

/** The requests of a bare pipeline's worker, and their address. */
export interface PipelineOrder {
  url: string;
  ca: string;
  path: string;
  account: ServiceAccount;
  /** The body with `%TOKEN%` where the device's token goes. */
  body: string;
}

const QUEUE = 'yardstick-pipeline';
const IN_FLIGHT = 200;

/**
 * The yardstick of single sends, run as two processes: a bare Fastify handler that does one INSERT and one `LPUSH` for each
 * request (`handler`; prints its address), and a worker that takes one message after the other with `BRPOP`, makes the same
 * HTTP/2 call as ours and does one UPDATE (`worker`; its order comes over IPC). Nothing is tried again, and nothing survives.
 */
async function serve(pool: Pool, redis: Redis): Promise<void> {
  await pool.query(
    `CREATE TABLE IF NOT EXISTS yardstick_messages (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body jsonb NOT NULL, state text NOT NULL DEFAULT 'accepted')`,
  );
  const server = Fastify();
  server.post<{ Body: { token: string } }>('/send', async ({ body }) => {
    const { rows } = await pool.query<{ id: string }>(
      'INSERT INTO yardstick_messages (body) VALUES ($1) RETURNING id',
      [body],
    );
    await redis.lpush(QUEUE, `${rows[0]?.id} ${body.token}`);
    return { count: 1 };
  });
  console.log(await server.listen({ port: 0, host: '127.0.0.1' }));
}

async function work(pool: Pool, redis: Redis, order: PipelineOrder): Promise<void> {
  const session = await openSession(order.url, readFileSync(order.ca));
  const [head = '', tail = ''] = order.body.split('%TOKEN%');
  const same: SameRequest = { path: order.path, authorization: await signIn(order.account), head, tail };
  let inFlight = 0;
  let onRoom = (): void => undefined;
  const send = (id: string, token: string): void => {
    inFlight++;
    sendTo(session, same, token, (error) => {
      if (error) throw error;
      void pool.query(`UPDATE yardstick_messages SET state = 'sent' WHERE id = $1`, [id]).then(() => {
        inFlight--;
        onRoom();
      });
    });
  };
  process.send?.('ready');
  for (;;) {
    if (inFlight >= IN_FLIGHT) await new Promise<void>((room) => (onRoom = room));
    const [, taken = ''] = (await redis.brpop(QUEUE, 0)) ?? [];
    const [id = '', token = ''] = taken.split(' ');
    send(id, token);
  }
}

const database = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const queue = new Redis(process.env.REDIS_URL ?? '');
if (process.argv[2] === 'handler') void serve(database, queue);
else process.once('message', (order: PipelineOrder) => void work(database, queue, order));
