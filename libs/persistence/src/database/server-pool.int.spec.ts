import { Secret } from '@postrider/platform';
import {
  createThrowAwayDatabase,
  openTcpGate,
  type TcpGate,
  type ThrowAwayDatabase,
  untilTrue,
} from '@postrider/testing';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../module/data-source';
import { isDatabaseUnavailable } from './is-database-unavailable';

const LOCK = 4_711;

describe('a statement that gets no answer', () => {
  let database: ThrowAwayDatabase;
  let gate: TcpGate;
  let pool: DataSource;

  beforeAll(async () => {
    database = await createThrowAwayDatabase();
    const url = new URL(database.url);
    gate = await openTcpGate({ host: url.hostname, port: Number(url.port || 5432) });
    url.host = `127.0.0.1:${gate.port}`;
    pool = await createDataSource(new Secret(url.href), 2, { silentAfterMs: 50 }).initialize();
  });

  afterAll(async () => {
    await pool.destroy();
    await gate.shut();
    await database.drop();
  });

  it('goes on while its server runs it', async () => {
    const holder = database.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const before = gate.opened;
    const waiting = pool.query('SELECT pg_advisory_xact_lock($1) IS NOT NULL AS done', [LOCK]);
    // The server was asked twice.
    await untilTrue(() => gate.opened >= before + 2);
    await holder.commitTransaction();
    await holder.release();
    expect(await waiting).toEqual([{ done: true }]);
  });

  it('goes on while its server runs it, although the process stood still while it asked', async () => {
    const holder = database.dataSource.createQueryRunner();
    await holder.startTransaction();
    await holder.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    const before = gate.opened;
    jest.useFakeTimers({ doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'] });
    try {
      let outcome: unknown;
      const ended = pool
        .query('SELECT pg_advisory_xact_lock($1) IS NOT NULL AS done', [LOCK])
        .catch((error: unknown) => error)
        .then((result) => (outcome = result));
      for (const questions of [1, 2]) {
        while (gate.opened < before + questions && outcome === undefined) await new Promise(setImmediate);
        // Everything that is due within a minute comes at once, before a socket is read.
        jest.advanceTimersByTime(60_000);
      }
      await holder.commitTransaction();
      await holder.release();
      expect(await ended).toEqual([{ done: true }]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('ends when its server has vanished without a word, and the next one finds the server that is there', async () => {
    await pool.query('SELECT 1');
    const before = gate.opened;
    gate.silence();
    const asked = pool.query('SELECT 1 AS one').catch((error: unknown) => error);
    await untilTrue(() => gate.opened > before);
    await gate.open();
    const failure = await asked;
    expect(failure).toMatchObject({ message: expect.stringContaining('does not answer') });
    expect(isDatabaseUnavailable(failure)).toBe(true);
    expect(await pool.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('a connection', () => {
  let database: ThrowAwayDatabase;

  beforeAll(async () => {
    database = await createThrowAwayDatabase();
  });

  afterAll(() => database.drop());

  /** Sets what new connections to the database begin with. */
  async function setForAll(name: string, value: string): Promise<void> {
    const [{ database: own }] = await database.dataSource.query<[{ database: string }]>(
      'SELECT current_database() AS database',
    );
    await database.dataSource.query(`ALTER DATABASE "${own}" SET ${name} = ${value}`);
  }

  function settingOf(name: string): Promise<unknown> {
    return ask('SELECT current_setting($1) AS answer', [name]);
  }

  /** Asks on a new connection. */
  async function ask(statement: string, values: unknown[] = []): Promise<unknown> {
    const pool = await createDataSource(new Secret(database.url), 1).initialize();
    try {
      return (await pool.query<{ answer: unknown }[]>(statement, values))[0]?.answer;
    } finally {
      await pool.destroy();
    }
  }

  it.each([
    ['tcp_keepalives_idle', '10'],
    ['tcp_keepalives_interval', '5'],
    ['tcp_keepalives_count', '3'],
  ])('does not outlive a machine that vanished by more than half a minute: %s', async (name, seconds) => {
    expect(await settingOf(name)).toBe(seconds);
  });

  it('compiles no statement, although its server compiles expensive ones', async () => {
    await setForAll('jit', 'on');
    expect(await settingOf('jit')).toBe('off');
  });

  it.each(['idle_session_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout'])(
    'is not ended by its server while nobody uses it, and not before its transaction is done: %s',
    async (name) => {
      await setForAll(name, `'10s'`);
      expect(await settingOf(name)).toBe('0');
    },
  );

  it('has a view of its own for each statement, although transactions keep theirs by default', async () => {
    await setForAll('default_transaction_isolation', `'serializable'`);
    expect(await settingOf('transaction_isolation')).toBe('read committed');
  });

  it('takes a backslash for a character, although its server takes it for an escape', async () => {
    await setForAll('standard_conforming_strings', 'off');
    expect(await ask(`SELECT 'a\\d' AS answer`)).toBe('a\\d');
  });

  it('stores what is missing in an array, although its server takes it for a word', async () => {
    await setForAll('array_nulls', 'off');
    expect(await ask('SELECT $1::text[] AS answer', [['a', null]])).toEqual(['a', null]);
  });

  it('reads numbers as they are stored, although its server rounds them', async () => {
    await setForAll('extra_float_digits', '0');
    expect(await ask('SELECT 0.1::float8 + 0.2 AS answer')).toBe(0.1 + 0.2);
  });

  it('reads times, although its server writes them in the German style', async () => {
    await setForAll('DateStyle', `'German, DMY'`);
    expect(await ask(`SELECT timestamptz '2026-03-04T05:06:07Z' AS answer`)).toEqual(new Date('2026-03-04T05:06:07Z'));
  });
});
