import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { Client } from 'pg';
import { from } from 'pg-copy-streams';

/** A table without anything else, and the file that goes into it. */
interface BareCopy {
  /** The columns, as `CREATE TABLE` has them. */
  columns: string;
  /** The format of the file, as for `COPY`; left out: one value a line. */
  format?: string;
  file: string;
}

/**
 * Copies a file into a bare table, as `psql \copy` does; without psql over a connection of ours.
 * @returns milliseconds
 */
export async function copyBare(
  client: Client,
  databaseUrl: string,
  { columns, format = '', file }: BareCopy,
): Promise<number> {
  await client.query('DROP TABLE IF EXISTS bare');
  await client.query(`CREATE TABLE bare (${columns})`);
  const begun = performance.now();
  await withPsql(databaseUrl, `\\copy bare FROM '${file}' ${format}`).catch(async (error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await pipeline(createReadStream(file), client.query(from(`COPY bare FROM STDIN ${format}`)));
  });
  const milliseconds = performance.now() - begun;
  await client.query('DROP TABLE bare');
  return milliseconds;
}

async function withPsql(databaseUrl: string, command: string): Promise<void> {
  const words = [databaseUrl, '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-c', command];
  await promisify(execFile)('psql', words);
}
