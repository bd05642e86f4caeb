import type { JsonObject } from '@postrider/domain';
import type { Connection, Submittable } from 'pg';
import type { EntityManager } from 'typeorm';
import type { Executor } from './executor';

/** The part of `pg`'s client that COPY needs; TypeORM returns the client as `any`. */
interface CopyClient {
  query(copy: Submittable): unknown;
}

/** The part of `pg`'s connection that COPY needs; its types do not have it. */
interface CopyConnection {
  query(text: string): void;
  stream: { write(bytes: Buffer): boolean };
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** A value of a column. */
type Cell = string | number | boolean | Date | null | undefined | readonly string[] | JsonObject;

/**
 * Copies lines of `copyLine` into a table, in the transaction of `executor`: all of them or none. If PostgreSQL refuses
 * a row, the transaction can only be rolled back.
 * @param columns the name of the table, and those of its columns; from the code, never from a request
 * @param lines made one by one when PostgreSQL is ready for them: it takes the first ones while the others are made
 */
export async function copyText(
  executor: Executor,
  [table, columns]: readonly [string, string],
  lines: Iterable<string>,
): Promise<void> {
  const client = (await (executor as EntityManager).queryRunner?.connect()) as CopyClient | undefined;
  if (!client) throw new Error('Rows are copied in a transaction');
  await new Promise<void>((resolve, reject) => {
    client.query(
      new CopyQuery(`COPY ${table} (${columns}) FROM STDIN`, lines, (error) => {
        if (error === null) resolve();
        else reject(error);
      }),
    );
  });
}

/** How many lines are sent at a time. */
const LINES_AT_ONCE = 128;
/** A message of COPY's data begins with its type and the length of what follows the type (PostgreSQL, CopyData). */
const COPY_DATA = 0x64;
const HEAD_BYTES = 5;
const LENGTH_BYTES = 4;

/**
 * A COPY, as `pg` runs it. It is not a stream: all lines are sent before an error of PostgreSQL is seen, so nothing is
 * left to send, or to clean up, after an error.
 */
class CopyQuery implements Submittable {
  constructor(
    private readonly text: string,
    private readonly lines: Iterable<string>,
    private readonly onEnd: (error: Error | null) => void,
  ) {}

  submit(connection: Connection): void {
    connectionOf(connection).query(this.text);
  }

  /** PostgreSQL is ready for the lines. */
  handleCopyInResponse(connection: Connection): void {
    const copy = connectionOf(connection);
    try {
      for (const text of textsOf(this.lines)) copy.stream.write(copyData(text));
      copy.endCopyFrom();
    } catch (error) {
      // PostgreSQL answers with an error, which is thrown away: the first one counts.
      copy.sendCopyFail('A line could not be made');
      this.onEnd(error as Error);
    }
  }

  handleError(error: Error): void {
    this.onEnd(error);
  }

  handleCommandComplete(): void {
    // The connection takes the next query after `handleReadyForQuery`.
  }

  handleReadyForQuery(): void {
    this.onEnd(null);
  }
}

function connectionOf(connection: Connection): CopyConnection {
  return connection as unknown as CopyConnection;
}

function* textsOf(lines: Iterable<string>): Generator<string, void> {
  let some: string[] = [];
  for (const line of lines) {
    some.push(line);
    if (some.length < LINES_AT_ONCE) continue;
    yield `${some.join('\n')}\n`;
    some = [];
  }
  if (some.length > 0) yield `${some.join('\n')}\n`;
}

function copyData(text: string): Buffer {
  const size = Buffer.byteLength(text);
  const message = Buffer.allocUnsafe(HEAD_BYTES + size);
  message[0] = COPY_DATA;
  message.writeUInt32BE(LENGTH_BYTES + size, 1);
  message.write(text, HEAD_BYTES);
  return message;
}

/** Returns a row in COPY's text format, without the line break (PostgreSQL, COPY, Text Format). */
export function copyLine(cells: readonly Cell[]): string {
  const texts = new Array<string>(cells.length);
  for (let at = 0; at < cells.length; at++) texts[at] = copyCell(cells[at]);
  return texts.join('\t');
}

/** Returns a value in COPY's text format. */
export function copyCell(cell: Cell): string {
  if (cell === null || cell === undefined) return '\\N';
  if (typeof cell === 'string') return escaped(cell);
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell);
  if (cell instanceof Date) return cell.toISOString();
  if (isList(cell)) return cell.length === 0 ? '{}' : escaped(arrayOf(cell));
  return escaped(JSON.stringify(cell));
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
