import { Client } from 'pg';
import type { BenchSystem } from './bench-system';

/** Gives `work` a connection to the database of the bench, and closes it afterwards. */
export async function withClient<Result>(
  bench: BenchSystem,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: bench.databases.databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
