import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import pg, { type PoolClient, type PoolConfig } from 'pg';
import { areNamesOurOwn } from './pooler';
import { StatementBatch } from './statement-batch';

/** PostgreSQL's code for a write to a server, or in a transaction, that is read-only (SQLSTATE 25006). */
const READ_ONLY = '25006';
/** PostgreSQL's code for a write that found no room on the disk (SQLSTATE 53100). */
const DISK_FULL = '53100';
/** The class of codes for a refused user or password (SQLSTATE 28xxx). */
const REFUSED_USER = /^28/;

/** Where a pool connects to. */
export interface Servers {
  /** The URL of each, tried in this order. */
  servers: readonly [string, ...string[]];
  /** True if servers that accept no writes are skipped. */
  mustBeWritable: boolean;
  /**
   * After how many milliseconds the server ends a statement. 0: never. Through a pooler the setting of the role
   * applies.
   */
  statementTimeoutMs: number;
  /** After how many milliseconds a statement stops waiting for a lock. 0: never. */
  lockTimeoutMs: number;
  /**
   * After how many milliseconds without a byte the server of a statement is asked whether it still runs
   * (`endIfForgotten`).
   */
  silentAfterMs: number;
}

/** A caller that waits for a connection, as pg-pool stores it. */
interface Waiting {
  callback(error: Error | undefined, client?: PoolClient, release?: (error?: Error) => void): void;
  timedOut?: boolean;
}

/** A method of pg-pool that its types leave out: it opens a connection for a waiting caller. */
const OpeningPool = pg.Pool as unknown as new (config: PoolConfig) => pg.Pool & {
  options: PoolConfig;
  ending: boolean;
  newClient(waiting: Waiting): void;
};

/** A client that knows the server that it connects to. */
class ServerClient extends pg.Client {
  readonly #config: PoolConfig;
  readonly #server: string;

  constructor(config: PoolConfig) {
    super(config);
    // The pool's options name the server of the next connection.
    this.#config = { ...config };
    this.#server = config.connectionString ?? '';
  }

  get server(): string {
    return this.#server;
  }

  /**
   * Breaks the connection when its server has forgotten it, or vanished without a word (a host that lost its power or its
   * network): nothing else would tell a statement that waits. TCP sends what was not acknowledged again for a quarter of
   * an hour, and probes only connections on which nothing is under way.
   *
   * After `silentMs` without a byte during a statement, the server is asked on a new connection, so that statements may
   * take as long as they are allowed to.
   *
   * @param port the port of this connection, as the server sees it
   */
  endIfForgotten(silentMs: number, port: number): void {
    const { stream } = this.#connection;
    stream.setTimeout(silentMs).on('timeout', () => {
      if (this.#isIdle) return;
      const heard = stream.bytesRead;
      void isRunning(this.#config, this.backend, port).then((runs) => {
        // An answer may have come meanwhile.
        if (runs || this.#isIdle || stream.bytesRead > heard) stream.setTimeout(silentMs);
        else this.break('the server does not answer, and does not run the statement');
      });
    });
  }

  /** True if no statement is under way; a property that pg's types leave out. */
  get #isIdle(): boolean {
    return (this as unknown as { readyForQuery: boolean | null }).readyForQuery === true;
  }

  /** Calls back with its words when the server refuses a statement with this SQLSTATE. */
  onRefused(state: string, refused: (words: string) => void): void {
    this.#connection.on('errorMessage', ({ code, message }: { code?: string; message?: string }) => {
      if (code === state) refused(message ?? '');
    });
  }

  /**
   * Sends every statement without its name from now on. PostgreSQL plans it anew each time, and names of other clients
   * do no harm.
   */
  dropNames(): void {
    const run = this.query.bind(this) as (statement: unknown, ...rest: unknown[]) => unknown;
    Object.assign(this, {
      query: (statement: unknown, ...rest: unknown[]) => {
        if (statement instanceof StatementBatch) statement.dropNames();
        return run(isNamed(statement) ? { ...statement, name: undefined } : statement, ...rest);
      },
    });
  }

  /** The process id that the server sent at the start of the connection. A pooler sends one that does not exist. */
  get backend(): number {
    return (this as unknown as { processID: number }).processID;
  }

  /**
   * Breaks the connection as if the server had closed it. The user of the connection and the pool learn of it in the
   * usual way.
   */
  break(reason: string): void {
    this.#connection.stream.destroy(new Error(`Connection terminated: ${reason}`));
  }

  /** A property that pg's types leave out: the protocol layer. */
  get #connection(): EventEmitter & { stream: Socket } {
    return (this as unknown as { connection: EventEmitter & { stream: Socket } }).connection;
  }
}

/** A server is read-only, but a writable one is needed. */
class ReadOnlyServerError extends Error {
  readonly code = READ_ONLY;
}

/** No server could be used. `errors` has the reasons, in the order in which the servers were tried. */
class NoServerError extends Error {
  constructor(
    tried: readonly string[],
    readonly errors: readonly Error[],
  ) {
    const reasons = tried.map((server, place) => `${nameOf(server)}: ${errors[place]?.message ?? ''}`);
    super(`No server of DATABASE_URL can be used (${reasons.join('; ')})`);
    this.name = 'NoServerError';
  }
}

/**
 * A pool over several servers of which one accepts writes, like libpq's `target_session_attrs=read-write`. A connection
 * goes to the first server that accepts it and is writable, and the next connection begins at that server. When a
 * server refuses a write because another one has taken over, all connections to it end.
 *
 * A pooler such as PgBouncer may give a connection to another client after each transaction. So this pool leaves no
 * setting on a connection, and no prepared statement unless the pooler keeps the names of clients apart.
 *
 * Opening a connection costs one statement more than with pg's own pool (a few more through a pooler). Using it costs
 * nothing more.
 */
export class ServerPool extends OpeningPool {
  readonly #servers: readonly string[];
  readonly #mustBeWritable: boolean;
  readonly #open = new Set<ServerClient>();
  /** Where the next connection is tried first. */
  #at = 0;
  #diskFull: { at: number; words: string } | null = null;

  constructor(options: PoolConfig & Servers) {
    const { servers, mustBeWritable, statementTimeoutMs, lockTimeoutMs, silentAfterMs, ...config } = options;
    const needs = { mustBeWritable, statementTimeoutMs, lockTimeoutMs, silentAfterMs };
    const prepare = (client: ServerClient): Promise<void> => makeReady(client, needs);
    const onConnect = prepare as unknown as NonNullable<PoolConfig['onConnect']>;
    const Client = ServerClient as unknown as NonNullable<PoolConfig['Client']>;
    super({ ...config, Client, onConnect });
    this.#servers = servers;
    this.#mustBeWritable = mustBeWritable;
    this.on('connect', (client) => this.#watch(client as unknown as ServerClient));
    this.on('remove', (client) => this.#open.delete(client as unknown as ServerClient));
  }

  /** The last statement that a server refused because its disk is full: when (`performance.now()`), and its words. Null: none was. */
  get diskFull(): { at: number; words: string } | null {
    return this.#diskFull;
  }

  /** pg-pool calls this whenever it opens a connection. */
  override newClient(waiting: Waiting): void {
    this.#tryNext(waiting, [], []);
  }

  #tryNext(waiting: Waiting, tried: string[], errors: Error[]): void {
    const server = this.#servers[this.#at] ?? '';
    this.options.connectionString = server;
    // The result matters even if the caller no longer waits: otherwise a server that does not answer would be tried
    // again and again.
    super.newClient({
      callback: (error, client, release) => {
        if (!error) {
          if (waiting.timedOut) release?.();
          else waiting.callback(undefined, client, release);
          return;
        }
        this.#leave(server);
        tried.push(server);
        errors.push(error);
        if (tried.length < this.#servers.length && !this.ending && !isRefusedUser(error)) {
          this.#tryNext(waiting, tried, errors);
          return;
        }
        if (!waiting.timedOut) waiting.callback(errors.length > 1 ? new NoServerError(tried, errors) : error);
      },
    });
  }

  /** The next connection begins at the server after this one, unless another connection has already moved on. */
  #leave(server: string): void {
    if (this.#servers[this.#at] === server) this.#at = (this.#at + 1) % this.#servers.length;
  }

  #watch(client: ServerClient): void {
    client.onRefused(DISK_FULL, (words) => (this.#diskFull = { at: performance.now(), words }));
    if (!this.#mustBeWritable) return;
    this.#open.add(client);
    client.onRefused(READ_ONLY, () => this.#endAll(client.server));
  }

  #endAll(server: string): void {
    this.#leave(server);
    for (const client of this.#open) {
      if (client.server !== server) continue;
      this.#open.delete(client);
      client.break('the server takes no writes any more');
    }
  }
}

/**
 * The server asks an idle connection after 10 s if its process is there, and ends it if nothing answers for 15 s. If a process's
 * machine or network vanished, the server would otherwise keep its transaction with all locks for hours (Linux asks after two).
 */
const ASK_FOR_KEEP_ALIVE = `set_config('tcp_keepalives_idle', '10', false)
  || set_config('tcp_keepalives_interval', '5', false) || set_config('tcp_keepalives_count', '3', false)`;

/**
 * The pool closes idle connections itself, and a transaction that holds a lock may be idle for as long as the work takes. A server that
 * ends one of them takes it away from whoever is about to use it. PostgreSQL has `transaction_timeout` from version 17 on.
 */
const UNLIMITED_IDLENESS = `set_config('idle_session_timeout', '0', false)
  || set_config('idle_in_transaction_session_timeout', '0', false)
  || CASE WHEN current_setting('transaction_timeout', true) IS NOT NULL THEN set_config('transaction_timeout', '0', false) END`;

/**
 * A server, a database or a role may have other values than PostgreSQL's own. The driver reads times in the style `ISO` only, and
 * gives null for any other, and it writes arrays in which NULL is null. Statements rely on a view of the data that each of them takes for
 * itself, on backslashes that are nothing but characters, and on numbers that come back as they were stored.
 */
const AS_STATEMENTS_EXPECT = `set_config('DateStyle', 'ISO', false)
  || set_config('default_transaction_isolation', 'read committed', false)
  || set_config('standard_conforming_strings', 'on', false)
  || set_config('array_nulls', 'on', false) || set_config('extra_float_digits', '1', false)`;

/**
 * Prepares a new connection for its users.
 *
 * @throws ReadOnlyServerError
 */
async function makeReady(client: ServerClient, needs: Omit<Servers, 'servers'>): Promise<void> {
  const { rows } = await client.query<{ isDirect: boolean; isReadOnly: boolean; port: number }>(
    // Not as startup parameters: poolers refuse those that they do not know. Without JIT, because it takes longer to compile a
    // statement over all days than to run it.
    `SELECT pg_backend_pid() = $1 AS "isDirect", current_setting('transaction_read_only') = 'on' AS "isReadOnly",
       coalesce(inet_client_port(), -1) AS port,
       CASE WHEN pg_backend_pid() = $1
         THEN set_config('statement_timeout', $2, false) || set_config('lock_timeout', $3, false)
           || set_config('jit', 'off', false) || ${ASK_FOR_KEEP_ALIVE} || ${UNLIMITED_IDLENESS}
           || ${AS_STATEMENTS_EXPECT} END`,
    [client.backend, String(needs.statementTimeoutMs), String(needs.lockTimeoutMs)],
  );
  if (needs.mustBeWritable && rows[0]?.isReadOnly !== false) throw new ReadOnlyServerError('it takes no writes');
  // Behind a pooler the server does not know the connection.
  if (rows[0]?.isDirect === true) client.endIfForgotten(needs.silentAfterMs, rows[0].port);
  else if (!(await areNamesOurOwn(client))) client.dropNames();
}

/** Within this time the server accepts the connection that asks whether a statement runs, and within it again it answers. */
const ASKED_WITHIN_MS = 10_000;
/** A standstill of this process counts as one of so many steps. */
const STEPS = 20;
/** The server ends, or has just begun: what it ran before is gone. */
const IS_NEW = /^57P/;

/**
 * Asks a server whether it runs a statement for the connection of that process and port. Never rejects.
 *
 * @returns false also if the server cannot be reached; true if it refuses the question
 */
async function isRunning(config: PoolConfig, backend: number, port: number): Promise<boolean> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 0, query_timeout: 0 });
  client.on('error', () => undefined);
  try {
    await whileRunning(ASKED_WITHIN_MS, client.connect());
    const asked = client.query(
      `SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND client_port = $2 AND state NOT LIKE 'idle%'`,
      [backend, port],
    );
    const { rows } = await whileRunning(ASKED_WITHIN_MS, asked);
    return rows.length > 0;
  } catch (error) {
    return error instanceof pg.DatabaseError && !IS_NEW.test(error.code ?? '');
  } finally {
    (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
  }
}

/**
 * Waits for an answer for `ms` in which this process runs. Timers that became due while it stood still come before the answers that
 * arrived meanwhile, so that one timer would take a server for lost that has answered.
 */
async function whileRunning<Answer>(ms: number, answer: Promise<Answer>): Promise<Answer> {
  let isOver = false;
  const tooLate = async (): Promise<never> => {
    for (let step = 0; step < STEPS && !isOver; step += 1) {
      // Sockets are read before an immediate.
      await new Promise((next) => setTimeout(() => setImmediate(next), ms / STEPS).unref());
    }
    throw new Error(`no answer within ${ms} ms`);
  };
  try {
    return await Promise.race([answer, tooLate()]);
  } finally {
    isOver = true;
  }
}

function isNamed(statement: unknown): statement is { name: string } {
  return typeof statement === 'object' && statement !== null && 'name' in statement && !('submit' in statement);
}

/**
 * True if a server refused the user. Another server would refuse the user too, so the next one is not tried. libpq
 * does the same.
 */
function isRefusedUser({ code }: Error & { code?: unknown }): boolean {
  return typeof code === 'string' && REFUSED_USER.test(code);
}

/** The host and port of a server's URL. */
function nameOf(server: string): string {
  return /^[^/]*\/\/(?:[^/?]*@)?([^/?]*)/.exec(server)?.[1] ?? '';
}
