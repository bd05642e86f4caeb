import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { Client } from 'pg';
import { from } from 'pg-copy-streams';

/**
 * Copies a file of one code a line into a bare table with a primary key, as `psql \copy` does; where there is no psql, over a
 * connection of ours.
 *
 * @returns milliseconds
 */
export async function copyBare(client: Client, databaseUrl: string, file: string): Promise<number> {
  await client.query('DROP TABLE IF EXISTS bare_codes');
  await client.query('CREATE TABLE bare_codes (code text PRIMARY KEY)');
  const begun = performance.now();
  await withPsql(databaseUrl, file).catch(async (error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await pipeline(createReadStream(file), client.query(from('COPY bare_codes FROM STDIN')));
  });
  const milliseconds = performance.now() - begun;
  await client.query('DROP TABLE bare_codes');
  return milliseconds;
}

async function withPsql(databaseUrl: string, file: string): Promise<void> {
  const words = [databaseUrl, '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-c', `\\copy bare_codes FROM '${file}'`];
  await promisify(execFile)('psql', words);
}
