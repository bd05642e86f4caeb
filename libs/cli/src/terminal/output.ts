import { once } from 'node:events';
import type { FailureReport } from './failure';

/** The streams of a command. */
export interface Streams {
  out: NodeJS.WriteStream;
  err: NodeJS.WriteStream;
}

/** What ends the process. */
export interface Endings {
  end: () => void;
  fail: (error: Error) => void;
}

/**
 * Takes it that the reader of a stream may leave. Without a reader of the output the command ends well:
 * `postrider messages list | head`. Without one of the notes it goes on. If the output cannot be written, on a full disk for one, it fails.
 */
export function outliveReaders({ out, err }: Streams, { end, fail }: Endings): void {
  out.on('error', (error: NodeJS.ErrnoException) => (error.code === 'EPIPE' ? end() : fail(error)));
  err.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/** The output of a command: text for people, JSON for programs, one value a line. */
export class Output {
  /** Rows of notes that a terminal shows below what was drawn last. */
  #noted = 0;

  constructor(
    private readonly streams: Streams,
    readonly isJson: boolean,
  ) {}

  /** True if a person watches: lines may be written over. */
  get isLive(): boolean {
    return !this.isJson && this.streams.out.isTTY;
  }

  /** The width of the terminal. Infinity if it is not known. */
  get columns(): number {
    return this.streams.out.columns || Infinity;
  }

  /** @param value what a program reads @param text what a person reads */
  result(value: unknown, text: string | readonly string[]): void {
    const lines = this.isJson ? JSON.stringify(value) : [text].flat().join('\n');
    this.streams.out.write(`${lines}\n`);
  }

  /** @param value what a program reads @param head the columns of the table that a person reads @param rows its values */
  table(value: unknown, head: readonly string[], rows: readonly (readonly unknown[])[]): void {
    this.result(value, table(head, rows, this.columns));
  }

  /** Writes an answer as it comes, such as a CSV file. */
  async raw(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      if (!this.streams.out.write(chunk)) await once(this.streams.out, 'drain', { signal });
    }
  }

  /** Reports progress, to people only. */
  note(text: string): void {
    if (this.isJson) return;
    this.streams.err.write(`${text}\n`);
    if (this.streams.err.isTTY) this.#noted += Math.ceil(text.length / (this.streams.err.columns || Infinity)) || 1;
  }

  /**
   * Writes over what was drawn before, and over the notes below it. A line that the terminal would wrap is two rows of
   * it, so lines are cut at its width, except in the last drawing.
   *
   * @param rows of the drawing before
   */
  draw(lines: readonly string[], rows: number, isLast: boolean): void {
    const up = rows === 0 ? '' : `\u001b[${rows + this.#noted}A${this.#noted === 0 ? '' : '\u001b[J'}`;
    this.#noted = 0;
    const width = isLast ? undefined : this.columns;
    this.streams.out.write(up + lines.map((line) => `\u001b[2K${line.slice(0, width)}\n`).join(''));
  }

  /** Says why the command failed. */
  failure({ exitCode, ...report }: FailureReport): void {
    const { code, message, details = [], requestId, hint } = report;
    if (this.isJson) {
      this.streams.err.write(`${JSON.stringify({ error: { exitCode, ...report } })}\n`);
      return;
    }
    const fields = details.map((field) => `  ${field.path === '' ? 'the body' : field.path} ${field.message}`);
    const head = ['USAGE', 'FAILED'].includes(code) ? `postrider: ${message}` : `postrider: ${message} (${code})`;
    const end = [...(requestId ? [`  request ${requestId}`] : []), ...(hint ? [hint] : [])];
    this.streams.err.write(`${[head, ...fields, ...end].join('\n')}\n`);
  }
}

/**
 * Rows as columns of equal width, under a head. Control characters of values are shown, not obeyed. Rows that are wider than the
 * terminal would wrap and could not be read: each is a block then, with one value a line. A table of two columns stays one,
 * because a name and its value can be read.
 *
 * @param columns the width of the terminal
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly unknown[])[],
  columns: number = Infinity,
): string[] {
  const shown = rows.map((row) => row.map((value) => plain(value)));
  const lines = inColumns([head, ...shown]);
  const isTooWide = lines.some(({ length }) => length > columns);
  return isTooWide && head.length > 2 && rows.length > 0 ? blocks(head, shown) : lines;
}

function inColumns(cells: readonly (readonly string[])[]): string[] {
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Each row as lines of a name and its value, with an empty line between two rows. */
function blocks(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : ['']),
    ...inColumns(head.map((name, column) => [name.trim(), row[column] ?? ''])),
  ]);
}

/** A value as text of one line that no terminal obeys. */
export function plain(value: unknown): string {
  const text = value === null || value === undefined ? '-' : typeof value === 'string' ? value : JSON.stringify(value);
  return text.replaceAll(
    /[\u0000-\u001f\u007f-\u009f]/g,
    (letter) => `\\x${letter.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
