import { randomUUID } from 'node:crypto';
import {
  createDataSource,
  ErasuresRepository,
  PromoAssignmentsRepository,
  PromoImportsRepository,
  type PromoSetKey,
  PromoSetsRepository,
  PromoUploadsRepository,
  rows,
} from '@postrider/persistence';
import { Secret } from '@postrider/platform';
import { clockShowing, createThrowAwayDatabase, openTcpGate, type ThrowAwayDatabase } from '@postrider/testing';
import { makeClaims, makeImporter } from '../testing/make-importer';
import { createApplication } from '../testing/promo-ledger';
import { codesOf, setInForce, uploadFile } from '../testing/upload-file';
import type { ImportOutcome } from './promo-importer.service';

const NO_ID = '00000000-0000-0000-0000-000000000000';

const names = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${prefix}${i + 1}`);

/** Names of forty characters: 150,000 of them are more than one stretch. */
const longNames = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => prefix + String(i + 1).padStart(40 - prefix.length, '0'));

/**
 * The numbers of packets to PostgreSQL after which an import is cut off: more cuts than the failures that an import may
 * have.
 */
const CUT_AFTER = [1, 3, 5, 8, 20, 30, 45, 60];

describe('importing promo codes', () => {
  let base: ThrowAwayDatabase;
  let appId: string;
  let applications = 0;
  /** A clock that a test may put forward, past a dead worker's lease. */
  let aheadMs = 0;
  const clock = clockShowing(() => new Date(Date.now() + aheadMs));
  const never = new AbortController().signal;

  const upload = (file: Buffer | string, trackId = 'spring'): Promise<PromoSetKey> =>
    uploadFile(base.dataSource, { appId, trackId, file });
  const run = (key: PromoSetKey, signal = never, mostCodes = 20_000_000): Promise<ImportOutcome> =>
    makeImporter(base.dataSource, clock, mostCodes).import(key, signal);
  const read = (key: PromoSetKey) => new PromoSetsRepository(base.dataSource).find(key);
  const claim = (userIds: readonly string[], trackId: string | null = 'spring') =>
    makeClaims(base.dataSource).claim({ appId, messageId: randomUUID(), trackId, userIds, now: new Date() });
  const countRows = async (table: string, { setId }: PromoSetKey): Promise<number> => {
    const [row] = await rows<{ count: number }>(
      base.dataSource,
      `SELECT count(*)::int AS count FROM ${table} WHERE set_id = $1`,
      [setId],
    );
    return row?.count ?? 0;
  };

  beforeAll(async () => {
    base = await createThrowAwayDatabase(12);
  });
  beforeEach(async () => {
    applications += 1;
    appId = `shop-${applications}`;
    await createApplication(base.dataSource, appId);
  });
  afterAll(() => base.drop());

  it('puts the codes of a file in force, each once, in its order', async () => {
    const key = await upload('\ufeffB\r\nA\r\n\r\n"C"\r\nA\r\nB\r\nD');
    expect(await run(key)).toEqual({ kind: 'in_force', total: 4, lines: 7, bytes: 23 });
    expect(await codesOf(base.dataSource, key)).toEqual(['B', 'A', 'C', 'D']);
    expect(await read(key)).toMatchObject({ state: 'in_force', total: 4, remaining: 4, loaded: 6, position: 23 });
    expect(await run(key)).toEqual({ kind: 'over' });
    expect(await countRows('promo_chunks', key)).toBe(0);
    expect([...(await claim(['u1', 'u2'])).values()]).toEqual(['B', 'A']);
  });

  it('copies what PostgreSQL would take for something else as it is', async () => {
    const codes = ['\\N', '\\.', 'a\\nb', '\\\\', "x'y", '{"a"}', '🎁', 'é', 'e\u0301', '$1', '%s'];
    const key = await upload(codes.join('\n'));
    expect(await run(key)).toMatchObject({ kind: 'in_force', total: codes.length });
    expect(await codesOf(base.dataSource, key)).toEqual(codes);
  });

  it('keeps the set before it when a line is bad, and says which', async () => {
    const before = await upload('A\nB');
    await run(before);
    const bad = await upload(`${longNames('C', 150_000).join('\n')}\nD,2\nE`);
    expect(await run(bad)).toEqual({
      kind: 'failed',
      failure: 'file',
      reason: 'line 150001: has a second column; a line must contain one code',
    });
    expect(await setInForce(base.dataSource, appId, 'spring')).toBe(before.setId);
    expect(await read(bad)).toMatchObject({ state: 'failed', failure: 'file' });
    expect(await countRows('promo_codes', bad)).toBeGreaterThan(0);
    expect(await new PromoSetsRepository(base.dataSource).clear(bad, never)).toBe(true);
    expect([await countRows('promo_codes', bad), await countRows('promo_chunks', bad)]).toEqual([0, 0]);
  });

  it('refuses a file without codes, and one with too many', async () => {
    // The last is as long as a stretch of an import.
    for (const empty of ['\n \n\r\n', '\ufeff', '""\n', `${' '.repeat(1_023)}\n`.repeat(4_096)]) {
      expect(await run(await upload(empty))).toMatchObject({ failure: 'file', reason: /the file holds no code$/ });
    }
    expect(await run(await upload('A\nB\nC'), never, 2)).toMatchObject({
      reason: 'line 3: a set holds at most 2 codes',
    });
    expect(await run(await upload('A\nB\nC'), never, 3)).toMatchObject({ kind: 'in_force' });
  });

  it('replaces the set before it in one step, and leaves its codes to be deleted', async () => {
    const first = await upload(names('A', 1_000).join('\n'));
    await run(first);
    await rows(base.dataSource, `UPDATE promo_sets SET low_stock_at = 10 WHERE set_id = $1`, [first.setId]);
    expect([...(await claim(['u1', 'u2'])).values()]).toEqual(['A1', 'A2']);
    const second = await upload('B1\nB2');
    await run(second);
    expect([...(await claim(['u3', 'u4', 'u5'])).values()]).toEqual(['B1', 'B2', null]);
    expect(await read(first)).toMatchObject({ state: 'replaced', assigned: 2, remaining: 998 });
    expect(await read(second)).toMatchObject({ lowStockAt: 10, lowSince: expect.any(Date), remaining: 0 });
    await new PromoSetsRepository(base.dataSource).clear(first, never);
    await new PromoSetsRepository(base.dataSource).clear(second, never);
    expect([await countRows('promo_codes', first), await countRows('promo_codes', second)]).toEqual([0, 1]);
  });

  it('does not give a code again that an earlier set of the campaign gave, although the file has it again', async () => {
    await run(await upload(names('C', 300).join('\n')));
    await claim(names('u', 200));
    const again = await upload(names('C', 310).join('\n'));
    expect(await run(again)).toMatchObject({ total: 310 });
    expect(await read(again)).toMatchObject({ total: 310, givenBefore: 200, remaining: 110 });
    expect([...(await claim(names('v', 111))).values()]).toEqual([...names('C', 310).slice(200), null]);
    const elsewhere = await upload(names('C', 5).join('\n'), 'autumn');
    await run(elsewhere);
    expect(await read(elsewhere)).toMatchObject({ givenBefore: 0, remaining: 5 });
  });

  it('does not give the code of a user who was erased to somebody else, although the file has it again', async () => {
    const first = await upload(names('C', 5).join('\n'));
    await run(first);
    await claim(['ann', 'bob', 'cleo']);
    await claim(['bob']);
    const erasures = new ErasuresRepository(base.dataSource);
    await erasures.finish({ appId, userId: 'bob', erasureId: randomUUID() });
    const again = await upload(names('C', 6).join('\n'));
    await run(again);
    expect(await read(again)).toMatchObject({ total: 6, givenBefore: 4, remaining: 2 });
    expect([...(await claim(['dora', 'eve', 'fay'])).values()]).toEqual(['C5', 'C6', null]);
    const assignments = new PromoAssignmentsRepository(base.dataSource);
    const everybody = { userId: null, messageId: null, afterOrdinal: 0 };
    const listed = await assignments.list(first, everybody, 10);
    expect(listed.map(({ userId, code }) => [userId, code])).toEqual([
      ['ann', 'C1'],
      ['cleo', 'C3'],
    ]);
    expect(await assignments.listOfUser(appId, 'bob', { afterId: NO_ID, limit: 10 })).toEqual([]);
  });

  it('gives every code once while sets that share codes are swapped under a running send', async () => {
    await run(await upload(names('C', 4_000).join('\n')));
    const given: (string | null)[] = [];
    let isSending = true;
    const senders = Array.from({ length: 4 }, async (_, sender) => {
      for (let page = 0; isSending || page < 3; page++) {
        given.push(...(await claim(names(`u${sender}-${page}-`, 40))).values());
      }
    });
    for (let swap = 1; swap <= 5; swap++) {
      await run(await upload(names('C', 4_000 + swap * 3_000).join('\n')));
    }
    isSending = false;
    await Promise.all(senders);
    const codes = given.filter((code) => code !== null);
    expect(codes.length).toBeGreaterThan(1_000);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('lets the last of two uploads win, whole', async () => {
    const keys = await Promise.all(['A', 'B', 'C'].map((letter) => upload(names(letter, 3_000).join('\n'))));
    await Promise.all(keys.map((key) => run(key)));
    const winner = await setInForce(base.dataSource, appId, 'spring');
    const states = await Promise.all(keys.map(async (key) => (await read(key))?.state));
    expect(states.filter((state) => state === 'in_force')).toHaveLength(1);
    expect(states.filter((state) => state === 'replaced')).toHaveLength(2);
    const times = await Promise.all(keys.map(async (key) => (await read(key))?.inForceAt?.getTime() ?? 0));
    const at = keys.findIndex(({ setId }) => setId === winner);
    expect(times[at]).toBe(Math.max(...times));
    expect(await codesOf(base.dataSource, keys[at]!)).toEqual(names('ABC'.charAt(at), 3_000));
  });

  it('is done by one worker at a time, and taken over when that one is dead', async () => {
    const key = await upload('A\nB');
    const now = clock.now();
    expect(
      await new PromoImportsRepository(base.dataSource).take(key, {
        now,
        leaseEndsAt: new Date(now.getTime() + 10_000),
      }),
    ).not.toBe(null);
    expect(await run(key)).toMatchObject({ kind: 'held' });
    aheadMs += 11_000;
    expect(await run(key)).toMatchObject({ kind: 'in_force' });
  });

  it('gives up what fails again and again', async () => {
    const key = await upload('A\nB');
    await rows(base.dataSource, `UPDATE promo_sets SET attempts = 5 WHERE set_id = $1`, [key.setId]);
    expect(await run(key)).toEqual({ kind: 'failed', failure: 'service', reason: 'could not be imported' });
    expect(await new PromoUploadsRepository(base.dataSource).startImport(key, new Date())).toBe(false);
  });

  it('counts each fault of its own as an attempt, and gives up after the fifth', async () => {
    await base.dataSource.query(`CREATE FUNCTION faulty() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'no such thing' USING ERRCODE = 'P0001'; END $$`);
    await base.dataSource.query(
      `CREATE TRIGGER faulty BEFORE INSERT ON promo_codes FOR EACH ROW EXECUTE FUNCTION faulty()`,
    );
    try {
      const key = await upload('A\nB');
      for (let attempt = 1; attempt <= 5; attempt++) {
        await expect(run(key)).rejects.toThrow('no such thing');
        aheadMs += 3_000;
      }
      expect(await run(key)).toEqual({ kind: 'failed', failure: 'service', reason: 'could not be imported' });
    } finally {
      await base.dataSource.query(`DROP FUNCTION faulty CASCADE`);
    }
  });

  it('gives up a file whose statement kills its server process each time, and keeps the set before it', async () => {
    const before = await upload('A');
    await run(before);
    await base.dataSource.query(`CREATE FUNCTION deadly() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$`);
    await base.dataSource.query(
      `CREATE TRIGGER deadly BEFORE INSERT ON promo_codes FOR EACH ROW EXECUTE FUNCTION deadly()`,
    );
    try {
      const key = await upload('B\nC');
      for (let turn = 1; turn <= 20; turn++) {
        await expect(run(key)).rejects.toThrow();
        aheadMs += 11_000;
      }
      const reason = 'the import was interrupted 20 times without progress';
      expect(await run(key)).toEqual({ kind: 'failed', failure: 'service', reason });
      expect(await read(key)).toMatchObject({ state: 'failed', failure: 'service', reason });
      expect(await setInForce(base.dataSource, appId, 'spring')).toBe(before.setId);
    } finally {
      await base.dataSource.query(`DROP FUNCTION deadly CASCADE`);
    }
  });

  it('counts no interruption when the worker stops or the import gets on', async () => {
    const key = await upload(longNames('CODE-', 150_000).join('\n'));
    const interruptions = (): Promise<unknown[]> =>
      rows(base.dataSource, `SELECT interruptions FROM promo_sets WHERE set_id = $1`, [key.setId]);
    await rows(base.dataSource, `UPDATE promo_sets SET interruptions = 19 WHERE set_id = $1`, [key.setId]);
    expect(await run(key, AbortSignal.abort())).toEqual({ kind: 'unfinished' });
    expect(await interruptions()).toEqual([{ interruptions: 19 }]);
    expect(await run(key)).toMatchObject({ kind: 'in_force' });
    expect(await interruptions()).toEqual([{ interruptions: 0 }]);
  });

  it('fails when PostgreSQL has no room, and keeps the set before it', async () => {
    const before = await upload('A');
    await run(before);
    await base.dataSource.query(`CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`);
    await base.dataSource.query(
      `CREATE TRIGGER no_room BEFORE INSERT ON promo_codes FOR EACH ROW EXECUTE FUNCTION no_room()`,
    );
    const key = await upload('B');
    const outcome = await run(key).finally(() => base.dataSource.query(`DROP FUNCTION no_room CASCADE`));
    expect(outcome).toEqual({ kind: 'failed', failure: 'service', reason: 'there is no room for it' });
    expect(await setInForce(base.dataSource, appId, 'spring')).toBe(before.setId);
    expect([...(await claim(['u'])).values()]).toEqual(['A']);
  });

  it('comes to the same however often it is cut off, at whatever moment', async () => {
    const codes = longNames('CODE-', 150_000);
    const file = Buffer.from(`${codes.join('\r\n')}\r\n${codes.slice(0, 1_000).join('\r\n')}`);
    const before = await upload('A\nB');
    await run(before);
    const key = await upload(file);
    const address = new URL(base.url);
    const gate = await openTcpGate({ host: address.hostname, port: Number(address.port) });
    address.port = String(gate.port);
    const doomed = await createDataSource(new Secret(address.href), 5, { applicationName: 'doomed' }).initialize();
    try {
      for (const packets of CUT_AFTER) {
        // As when the machine is gone: every connection of the worker breaks at once.
        const broken = gate.breakAfter(packets);
        const turn = makeImporter(doomed, clock)
          .import(key, never)
          .then(
            (outcome) => outcome,
            () => 'cut off',
          );
        expect(await Promise.race([turn, broken.then(() => 'broken')])).toBe('broken');
        expect(await turn).toBe('cut off');
        expect(await setInForce(base.dataSource, appId, 'spring')).toBe(before.setId);
        expect(await rows(base.dataSource, `SELECT attempts FROM promo_sets WHERE set_id = $1`, [key.setId])).toEqual([
          { attempts: 0 },
        ]);
        aheadMs += 11_000;
      }
      expect(await makeImporter(doomed, clock).import(key, never)).toMatchObject({
        kind: 'in_force',
      });
    } finally {
      await gate.shut();
      await doomed.destroy();
    }
    expect(await setInForce(base.dataSource, appId, 'spring')).toBe(key.setId);
    expect(await read(key)).toMatchObject({ total: 150_000, loaded: 151_000, lines: 151_000 });
    const stored = await codesOf(base.dataSource, key);
    expect(stored).toHaveLength(150_000);
    expect(stored.every((code, index) => code === codes[index])).toBe(true);
  });
});
