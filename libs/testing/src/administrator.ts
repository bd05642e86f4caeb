import { AsyncResource } from 'node:async_hooks';
import { Client } from 'pg';

/** The types of `pg` leave out whether the process waits for a connection. */
type Connection = Client & { ref(): void; unref(): void };

/** What this file keeps must not hold the test in memory that is the first to use it. */
const ofNoTest = new AsyncResource('administrator');

let connection: { to: string; client: Promise<Connection> } | undefined;
let turn: Promise<unknown> = Promise.resolve();

/**
 * Runs a statement of the server's administrator, as `CREATE DATABASE` is, when those before it are done. All test
 * files of a process share one connection: a connection costs PostgreSQL as much as it does to copy a database. It ends
 * with the process, which does not wait for it.
 *
 * @param serverUrl of a database that nobody drops
 */
export async function administer(serverUrl: string, statement: string): Promise<void> {
  const run = turn.then(() => runOn(serverUrl, statement));
  turn = run.catch(() => undefined);
  await run;
}

async function runOn(serverUrl: string, statement: string): Promise<void> {
  if (connection?.to !== serverUrl) {
    connection = { to: serverUrl, client: ofNoTest.runInAsyncScope(connect, null, serverUrl) };
  }
  const client = await connection.client;
  client.ref();
  try {
    await client.query(statement);
  } finally {
    client.unref();
  }
}

/** @throws if the server does not answer; the next call tries again */
async function connect(serverUrl: string): Promise<Connection> {
  const client = new Client({ connectionString: serverUrl }) as Connection;
  const forget = (): void => void (connection = undefined);
  client.on('error', forget);
  try {
    await client.connect();
    client.unref();
    return client;
  } catch (error) {
    forget();
    throw error;
  }
}
