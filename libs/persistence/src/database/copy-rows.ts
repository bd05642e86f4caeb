import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from } from 'pg-copy-streams';
import type { EntityManager } from 'typeorm';
import { BinaryRows } from './binary-rows';
import type { Executor } from './executor';

/** The part of `pg`'s client that COPY needs; TypeORM returns the client as `any`. */
interface CopyClient {
  query(copy: Writable): Writable;
}

/** How many bytes are sent at a time, and how long most rows are at most. */
const PIECE_BYTES = 65_536;
const ROW_BYTES = 8_192;

/**
 * Copies rows into a table, in the transaction of `executor`: all of them or none. If PostgreSQL refuses a row, the
 * transaction can only be rolled back.
 * @param columns the name of the table, and those of its columns; from the code, never from a request
 * @param write writes the row of a value. It is called when PostgreSQL is ready for the row: PostgreSQL takes the first
 *   rows while the others are made
 */
export async function copyRows<T>(
  executor: Executor,
  [table, columns]: readonly [string, string],
  values: Iterable<T>,
  write: (rows: BinaryRows, value: T) => void,
): Promise<void> {
  const client = (await (executor as EntityManager).queryRunner?.connect()) as CopyClient | undefined;
  if (!client) throw new Error('Rows are copied in a transaction');
  const copy = client.query(from(`COPY ${table} (${columns}) FROM STDIN (FORMAT binary)`));
  await pipeline(Readable.from(piecesOf(values, write)), copy);
}

function* piecesOf<T>(values: Iterable<T>, write: (rows: BinaryRows, value: T) => void): Generator<Buffer, void> {
  const rows = new BinaryRows(PIECE_BYTES + ROW_BYTES);
  rows.header();
  for (const value of values) {
    write(rows, value);
    if (rows.length >= PIECE_BYTES) yield rows.take();
  }
  rows.end();
  yield rows.take();
}
