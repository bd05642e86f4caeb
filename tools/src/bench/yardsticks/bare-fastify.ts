import Fastify from 'fastify';
import { Redis } from 'ioredis';
import { Pool } from 'pg';

/**
 * The yardstick of acceptance and of registration, run as a process of its own: bare Fastify handlers that do one INSERT and one
 * Redis write for each request, or one upsert, and nothing else. Prints its address when it listens.
 */
async function main(): Promise<void> {
  const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
  const redis = new Redis(process.env.REDIS_URL ?? '');
  await pool.query(
    'CREATE TABLE IF NOT EXISTS yardstick (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body jsonb NOT NULL)',
  );
  await pool.query('CREATE TABLE IF NOT EXISTS yardstick_devices (token text PRIMARY KEY, body jsonb NOT NULL)');
  const server = Fastify();
  server.post('/send', async (request) => {
    await pool.query('INSERT INTO yardstick (body) VALUES ($1)', [request.body]);
    await redis.lpush('yardstick', '1');
    return { count: 1 };
  });
  server.post<{ Body: { deviceToken: string } }>('/register', async (request) => {
    await pool.query(
      'INSERT INTO yardstick_devices VALUES ($1, $2) ON CONFLICT (token) DO UPDATE SET body = excluded.body',
      [request.body.deviceToken, request.body],
    );
    return request.body;
  });
  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  console.log(address);
}

void main();
