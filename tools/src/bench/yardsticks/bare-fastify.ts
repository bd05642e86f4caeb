import Fastify from 'fastify';
import { Redis } from 'ioredis';
import { Pool } from 'pg';

/**
 * The yardstick of acceptance, run as a process of its own: a bare Fastify handler that does one INSERT and one Redis write
 * for each request and nothing else. Prints its address when it listens.
 */
async function main(): Promise<void> {
  const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
  const redis = new Redis(process.env.REDIS_URL ?? '');
  await pool.query(
    'CREATE TABLE IF NOT EXISTS yardstick (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body jsonb NOT NULL)',
  );
  const server = Fastify();
  server.post('/send', async (request) => {
    await pool.query('INSERT INTO yardstick (body) VALUES ($1)', [request.body]);
    await redis.lpush('yardstick', '1');
    return { count: 1 };
  });
  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  console.log(address);
}

void main();
