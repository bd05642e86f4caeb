import pg, { type Connection, type QueryResultRow } from 'pg';
import { QueryFailedError } from 'typeorm';
import type { Sql } from '../sql';
import type { Database } from './executor';
import { preparedName } from './statement-names';

/**
 * Runs statements one after the other in one transaction, in one round trip: the client sends all of them, and then
 * waits. (With `inTransaction` two statements take four round trips, and a round trip costs both sides more than most
 * statements.) Each statement is prepared. It sees everything that was committed when it began, also if the statement
 * before it waited for a lock. If one fails, all are rolled back.
 *
 * This follows from the protocol: what a client sends before `Sync` is one transaction
 * (https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-PIPELINING).
 *
 * @returns the rows of each statement, in the order of `statements`
 * @throws QueryFailedError, like `rows`, with the error of the first statement that fails
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

/** A method of the pool that its types leave out: it gives a connection to any submittable. */
interface Pool {
  query(batch: StatementBatch): Promise<Record<string, unknown>[][]>;
}

/** Properties of the connection that its types leave out. */
interface PreparingConnection extends Connection {
  /** Statement texts by name that were sent to be prepared and have no answer yet. */
  submittedNamedStatements: Record<string, string | undefined>;
}

/** Methods of `pg`'s query that its types leave out: the client passes the server's answers to them. */
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

/** One statement of a batch. It reads its rows as `pg` does, and leaves `Sync` to the batch. */
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

/** Several statements that a client submits as one. */
export class StatementBatch {
  /** The client calls it after the last answer, or with the first error. */
  callback: ((error: Error | null, rows?: QueryResultRow[][]) => void) | undefined;
  #parts: readonly Part[];
  /** The index of the statement whose answer comes next. */
  #at = 0;

  constructor(parts: readonly Part[]) {
    this.#parts = parts;
  }

  /** The name of the statement whose answer comes next: the client records what is prepared. */
  get name(): string | undefined {
    return this.#part?.name;
  }

  /** Like `name`. */
  get text(): string {
    return this.#part?.text ?? '';
  }

  /** For a connection on which other clients' names may exist (`ServerPool`). */
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

  /** The server neither prepares nor runs the following statements. */
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
