import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { Client } from 'pg';
import { from, to } from 'pg-copy-streams';

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
  await copyFile(client, databaseUrl, { target: 'bare', format, file });
  const milliseconds = performance.now() - begun;
  await client.query('DROP TABLE bare');
  return milliseconds;
}

/** Rows of a table: `where` is a condition of SQL. */
interface RowsOfTable {
  table: string;
  where: string;
}

/**
 * Copies rows of tables, as `psql \copy` does, into new tables that are exactly like theirs: the same columns, defaults, checks,
 * indexes and foreign keys, also to one another. They have no triggers. The tables are filled in the order of `copied`.
 *
 * @param folder where the files are kept meanwhile
 * @returns milliseconds that all files took
 */
export async function copyAlike(
  client: Client,
  databaseUrl: string,
  { copied, folder }: { copied: readonly RowsOfTable[]; folder: string },
): Promise<number> {
  const names = copied.map(({ table }) => table);
  const files: { target: string; file: string }[] = [];
  for (const { table, where } of copied) {
    const columns = await copiedColumns(client, table);
    const file = join(folder, `${table}.copy`);
    const rows = client.query(to(`COPY (SELECT ${columns} FROM ${table} WHERE ${where}) TO STDOUT`));
    await pipeline(rows, createWriteStream(file));
    await makeAlike(client, table, names);
    files.push({ target: `${alike(table)} (${columns})`, file });
  }
  await client.query('CHECKPOINT');
  const begun = performance.now();
  for (const { target, file } of files) await copyFile(client, databaseUrl, { target, format: '', file });
  const milliseconds = performance.now() - begun;
  await client.query(`DROP TABLE ${names.map(alike).join(', ')}`);
  return milliseconds;
}

const alike = (table: string): string => `alike_${table}`;

/** The columns of a table that do not follow from the others. */
async function copiedColumns(client: Client, table: string): Promise<string> {
  const { rows } = await client.query<{ columns: string }>(
    `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND attidentity = ''`,
    [table],
  );
  return (rows[0] as { columns: string }).columns;
}

/** @param names tables whose foreign keys lead to the tables that are like them */
async function makeAlike(client: Client, table: string, names: readonly string[]): Promise<void> {
  await client.query(`DROP TABLE IF EXISTS ${alike(table)} CASCADE`);
  await client.query(`CREATE TABLE ${alike(table)} (LIKE ${table} INCLUDING ALL)`);
  const { rows } = await client.query<{ key: string; target: string }>(
    `SELECT pg_get_constraintdef(oid) AS key, confrelid::regclass::text AS target FROM pg_constraint
     WHERE conrelid = $1::regclass AND contype = 'f'`,
    [table],
  );
  for (const { key, target } of rows) {
    const led = names.includes(target) ? key.replace(`REFERENCES ${target}(`, `REFERENCES ${alike(target)}(`) : key;
    await client.query(`ALTER TABLE ${alike(table)} ADD ${led}`);
  }
}

/** Copies a file by psql; without psql over a connection of ours. */
async function copyFile(
  client: Client,
  databaseUrl: string,
  { target, format, file }: { target: string; format: string; file: string },
): Promise<void> {
  await withPsql(databaseUrl, `\\copy ${target} FROM '${file}' ${format}`).catch(async (error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await pipeline(createReadStream(file), client.query(from(`COPY ${target} FROM STDIN ${format}`)));
  });
}

async function withPsql(databaseUrl: string, command: string): Promise<void> {
  const words = [databaseUrl, '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-c', command];
  await promisify(execFile)('psql', words);
}
