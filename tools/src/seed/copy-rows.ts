import { once } from 'node:events';
import type { Client } from 'pg';
import { from } from 'pg-copy-streams';

const CHUNK = 1 << 16;

/** A value of one column, as COPY's text format takes it. */
type Cell = string | number | boolean | Date | null | readonly string[] | Readonly<Record<string, unknown>>;

/** A COPY into one table: rows in, with back-pressure. */
export interface RowWriter {
  /** Resolves at once, or when the server has caught up. */
  write(cells: readonly Cell[]): Promise<void> | void;
  end(): Promise<void>;
}

/** Starts `COPY table (columns) FROM STDIN`. */
export function copyInto(client: Client, table: string, columns: readonly string[]): RowWriter {
  const stream = client.query(from(`COPY ${table} (${columns.join(', ')}) FROM STDIN`));
  let buffer = '';
  const flush = (): Promise<void> | void => {
    const taken = stream.write(buffer);
    buffer = '';
    return taken ? undefined : once(stream, 'drain').then(() => undefined);
  };
  return {
    write: (cells) => {
      buffer += `${cells.map(encode).join('\t')}\n`;
      return buffer.length > CHUNK ? flush() : undefined;
    },
    end: async () => {
      await flush();
      stream.end();
      await once(stream, 'finish');
    },
  };
}

/** PostgreSQL, COPY, Text Format: backslash, tab, newline and carriage return are escaped; null is `\N`. */
function encode(cell: Cell): string {
  if (cell === null) return '\\N';
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell);
  if (typeof cell === 'string') return escape(cell);
  if (cell instanceof Date) return cell.toISOString();
  if (Array.isArray(cell)) return escape(`{${cell.map((item: string) => JSON.stringify(item)).join(',')}}`);
  return escape(JSON.stringify(cell));
}

function escape(text: string): string {
  return /[\\\t\n\r]/.test(text)
    ? text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
    : text;
}
