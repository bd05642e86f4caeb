import type { Writable } from 'node:stream';
import type { JsonObject } from '@postrider/domain';
import type { EntityManager } from 'typeorm';
import { from } from 'pg-copy-streams';
import type { Executor } from './executor';

/** The part of `pg`'s client that COPY needs; TypeORM returns the client as `any`. */
interface CopyClient {
  query(stream: Writable): Writable;
}

/** A value of a column. */
type Cell = string | number | boolean | Date | null | undefined | readonly string[] | JsonObject;

/**
 * Copies lines of `copyLine` into a table, in the transaction of `executor`: all of them or none. If PostgreSQL refuses
 * a row, the transaction can only be rolled back.
 * @param columns the name of the table, and those of its columns; from the code, never from a request
 */
export async function copyText(
  executor: Executor,
  [table, columns]: readonly [string, string],
  text: string,
): Promise<void> {
  const client = (await (executor as EntityManager).queryRunner?.connect()) as CopyClient | undefined;
  if (!client) throw new Error('Rows are copied in a transaction');
  const copy = client.query(from(`COPY ${table} (${columns}) FROM STDIN`));
  await new Promise<void>((resolve, reject) => {
    copy
      .once('finish', resolve)
      .once('error', reject)
      .once('close', () => reject(brokenOff()));
    copy.end(text);
  });
}

/** Returns the error for a connection that ends without a message: connection_failure (PostgreSQL, Appendix A). */
export function brokenOff(): Error {
  return Object.assign(new Error('The COPY was broken off'), { code: '08006' });
}

/** Returns a row in COPY's text format, without the line break (PostgreSQL, COPY, Text Format). */
export function copyLine(cells: readonly Cell[]): string {
  let line = '';
  for (let at = 0; at < cells.length; at++) line += at === 0 ? copyCell(cells[at]) : `\t${copyCell(cells[at])}`;
  return line;
}

/** Returns a value in COPY's text format. */
export function copyCell(cell: Cell): string {
  if (cell === null || cell === undefined) return '\\N';
  if (typeof cell === 'string') return escaped(cell);
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell);
  if (cell instanceof Date) return cell.toISOString();
  return escaped(isList(cell) ? arrayOf(cell) : JSON.stringify(cell));
}

function isList(cell: readonly string[] | JsonObject): cell is readonly string[] {
  return Array.isArray(cell);
}

/** Returns an array of texts (PostgreSQL, Array Input and Output Syntax). */
function arrayOf(items: readonly string[]): string {
  return `{${items.map((item) => `"${item.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escaped(text: string): string {
  return /[\\\t\n\r]/.test(text) ? text.replace(/[\\\t\n\r]/g, (sign) => ESCAPES[sign] as string) : text;
}
