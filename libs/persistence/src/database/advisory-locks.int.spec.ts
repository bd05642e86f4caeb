import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { AdvisoryLocks } from './advisory-locks';
import { rows } from './executor';

describe('an advisory lock', () => {
  let database: ThrowAwayDatabase;
  let locks: AdvisoryLocks;
  let others: AdvisoryLocks;

  beforeAll(async () => (database = await createThrowAwayDatabase()));
  afterAll(() => database.drop());
  beforeEach(() => {
    locks = new AdvisoryLocks(database.dataSource);
    others = new AdvisoryLocks(database.dataSource);
  });
  afterEach(() => Promise.all([locks.close(), others.close()]));

  const held = async (): Promise<number> => {
    const found = await rows(
      database.dataSource,
      `SELECT 1 FROM pg_locks l JOIN pg_database d ON d.oid = l.database
       WHERE d.datname = current_database() AND l.locktype = 'advisory'`,
    );
    return found.length;
  };
  const never = (): Promise<never> => Promise.reject(new Error('never'));

  it('lets one in at a time, and the next when that one is done or has failed', async () => {
    const order: string[] = [];
    const isMine = await locks.tryWith(42, async () => {
      order.push('first');
      expect(await others.tryWith(42, never)).toBeNull();
      expect(await locks.tryWith(42, never)).toBeNull();
      expect(await others.tryWith(43, () => Promise.resolve('other'))).toBe('other');
      return true;
    });
    expect(isMine).toBe(true);
    await expect(locks.tryWith(42, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await others.tryWith(42, () => Promise.resolve(true))).toBe(true);
    expect(order).toEqual(['first']);
    expect(await held()).toBe(0);
  });

  it('keeps no snapshot: nothing waits for it but who wants the lock', async () => {
    const snapshots = await locks.tryWith(42, () =>
      rows(
        database.dataSource,
        `SELECT FROM pg_stat_activity a JOIN pg_locks l ON l.pid = a.pid AND l.locktype = 'advisory'
         WHERE a.datname = current_database() AND a.backend_xmin IS NOT NULL`,
      ),
    );
    expect(snapshots).toEqual([]);
  });

  it('takes one connection, however many are held at the same time', async () => {
    const small = await createThrowAwayDatabase(2);
    const crowded = new AdvisoryLocks(small.dataSource);
    const ids = [1, 2, 3, 4, 5];
    let inside = 0;
    let letGo = (): void => undefined;
    const allInside = new Promise<void>((resolve) => (letGo = resolve));
    const work = async (): Promise<unknown> => {
      if (++inside === ids.length) letGo();
      await allInside;
      return rows(small.dataSource, 'SELECT 1');
    };
    expect(await Promise.all(ids.map((id) => crowded.tryWith(id, work)))).toHaveLength(ids.length);
    await crowded.close();
    await small.drop();
  });

  it('is lost with its connection, and there are locks to be had again on the next', async () => {
    await locks.tryWith(42, async () => {
      await rows(
        database.dataSource,
        `SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_database d ON d.oid = l.database
         WHERE d.datname = current_database() AND l.locktype = 'advisory'`,
      );
      let mine: string | null = null;
      while (mine === null) mine = await others.tryWith(42, () => Promise.resolve('mine'));
      expect(mine).toBe('mine');
    });
    // The next statement may be the first to notice the broken connection.
    const again = (): Promise<string | null> => locks.tryWith(42, () => Promise.resolve('again'));
    expect(await again().catch(again)).toBe('again');
    expect(await held()).toBe(0);
  });

  it('is free once its process has closed, which holds none afterwards', async () => {
    let letGo = (): void => undefined;
    let isInside = (): void => undefined;
    const inside = new Promise<void>((resolve) => (isInside = resolve));
    const working = locks.tryWith(42, () => {
      isInside();
      return new Promise<void>((resolve) => (letGo = resolve));
    });
    await inside;
    await locks.close();
    expect(await others.tryWith(42, () => Promise.resolve('mine'))).toBe('mine');
    letGo();
    await working;
    expect(await locks.tryWith(42, never)).toBeNull();
    expect(await held()).toBe(0);
  });
});
