import pg, { type Connection, type QueryResultRow } from 'pg';
import { QueryFailedError } from 'typeorm';
import type { Sql } from '../sql';
import type { Database } from './executor';
import { preparedName } from './statement-names';

/**
 * Runs statements one after the other in one transaction of their own, in one round trip: the client sends all of them, and then waits.
 * (With `inTransaction` two statements are four round trips, each of which costs both sides more than most statements.) Each statement
 * is prepared, and sees what is committed when it begins, also while the one before it waited for a lock. All of them, or nothing.
 *
 * The protocol has it so: what a client sends before it says `Sync` is one transaction
 * (https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-PIPELINING).
 *
 * @returns the rows of each statement, in the order of `statements`
 * @throws QueryFailedError, as `rows` does, with what PostgreSQL says to the first that fails
 */
export async function batchRows(
  database: Database,
  statements: readonly [Sql, ...Sql[]],
): Promise<Record<string, unknown>[][]> {
  const batch = new StatementBatch(statements.map(partOf));
  const { master: pool } = database.driver as unknown as { master: Pool };
  try {
    return await pool.query(batch);
  } catch (error) {
    throw new QueryFailedError(batch.text, [], error as Error);
  }
}

/** What a pool has and its types leave out: it hands out a connection for whatever can be submitted. */
interface Pool {
  query(batch: StatementBatch): Promise<Record<string, unknown>[][]>;
}

/** What a connection has and its types leave out. */
interface PreparingConnection extends Connection {
  /** Texts by the names that were sent to be prepared, and for which no answer has come yet. */
  submittedNamedStatements: Record<string, string | undefined>;
}

/** What `pg`'s query has and its types leave out: how its client hands it the answers of the server. */
interface AnsweredQuery {
  readonly name: string | undefined;
  readonly text: string;
  readonly values: unknown[];
  prepare(connection: Connection): void;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
  handleReadyForQuery(connection: Connection): void;
}

type Answer = (error: Error | undefined, result: { rows: QueryResultRow[] }) => void;
const AnsweredQuery = pg.Query as unknown as new (
  config: { name: string | undefined; text: string; values: unknown[] },
  values: undefined,
  callback: Answer,
) => AnsweredQuery;

/** A statement of several: its rows are read as `pg` reads them, and it leaves `Sync` to whoever sends all of them. */
class Part extends AnsweredQuery {
  rowsFound: QueryResultRow[] = [];
  error: Error | undefined;

  constructor(name: string | undefined, text: string, values: unknown[]) {
    super({ name, text, values }, undefined, (error, result) => {
      this.error = error;
      if (error === undefined || error === null) this.rowsFound = result.rows;
    });
  }

  /** `pg` calls this at the end of `prepare`. */
  protected _getRows(connection: Connection): void {
    connection.execute(null, true);
  }
}

function partOf(statement: Sql): Part {
  const { text, values } = statement.toQuery();
  return new Part(preparedName(text), text, values);
}

/** Several statements, for a client as one that it submits. */
export class StatementBatch {
  /** The client calls it when all is answered, or with the first error. */
  callback: ((error: Error | null, rows?: QueryResultRow[][]) => void) | undefined;
  #parts: readonly Part[];
  /** Whose answer comes next. */
  #at = 0;

  constructor(parts: readonly Part[]) {
    this.#parts = parts;
  }

  /** Of the part whose answer comes next: the client notes what is prepared. */
  get name(): string | undefined {
    return this.#part?.name;
  }

  /** As `name`. */
  get text(): string {
    return this.#part?.text ?? '';
  }

  /** For a connection whose names are not ours alone (`ServerPool`). */
  dropNames(): void {
    this.#parts = this.#parts.map(({ text, values }) => new Part(undefined, text, values));
  }

  submit(connection: Connection): void {
    connection.stream.cork();
    for (const part of this.#parts) part.prepare(connection);
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription(message: unknown): void {
    this.#part?.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.#part?.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    this.#part?.handleCommandComplete(message, connection);
    this.#at += 1;
  }

  handleReadyForQuery(connection: Connection): void {
    for (const part of this.#parts) part.handleReadyForQuery(connection);
    const unread = this.#parts.find(({ error }) => error)?.error;
    if (unread) this.callback?.(unread);
    else
      this.callback?.(
        null,
        this.#parts.map(({ rowsFound }) => rowsFound),
      );
  }

  /** Nothing of what follows is run, nor prepared. */
  handleError(error: Error, connection: Connection): void {
    const { submittedNamedStatements } = connection as PreparingConnection;
    for (const { name } of this.#parts.slice(this.#at))
      if (name !== undefined) submittedNamedStatements[name] = undefined;
    this.callback?.(error);
  }

  get #part(): Part | undefined {
    return this.#parts[this.#at];
  }
}
