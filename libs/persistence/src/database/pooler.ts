import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';

/**
 * True if statements may be prepared by name on this connection. PgBouncer (1.21 or later, with
 * `max_prepared_statements`) gives each a name of its own on the server, and prepares it again on the connection that
 * it uses. Other poolers pass names on: a name that one client prepared then exists for another client, or is missing.
 */
export async function areNamesOurOwn(client: Client): Promise<boolean> {
  const name = `postrider_${randomUUID()}`;
  // One transaction, so that the pooler uses one connection for all of it.
  await client.query('BEGIN');
  const text = 'SELECT count(*)::integer AS count FROM pg_prepared_statements WHERE name = $1';
  const { rows } = await client.query<{ count: number }>({ name, text, values: [name] });
  const isPassedOn = rows[0]?.count !== 0;
  if (isPassedOn) await client.query(`DEALLOCATE "${name}"`);
  await client.query('COMMIT');
  return !isPassedOn;
}
