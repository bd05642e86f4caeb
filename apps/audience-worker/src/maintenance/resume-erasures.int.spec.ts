import { randomUUID } from 'node:crypto';
import { EraseUser } from '@postrider/maintenance';
import { LOCK_IDS } from '@postrider/persistence';
import { createShop, tracesIn, untilTrue } from '@postrider/testing';
import { accept } from '../testing/ledger';
import { WorkerStage } from '../testing/worker-stage';

const USER = 'erased-ann';

describe('an erasure that its gateway left', () => {
  let stage: WorkerStage;

  beforeEach(async () => {
    stage = await WorkerStage.open();
    const { database } = stage;
    await createShop(database, 2);
    await database.query(`UPDATE installations SET user_id = $1 WHERE user_id = 'user-1'`, [USER]);
    await database.query(`INSERT INTO users (app_id, user_id, tags) VALUES ('shop', $1, '{vip}')`, [USER]);
    await accept(database, { kind: 'users', userIds: [USER] });
    await accept(database, { kind: 'users', userIds: [USER, 'user-2'] });
    await database.query(`INSERT INTO erasures (app_id, user_id, erasure_id, ends_at) VALUES ('shop', $1, $2, now())`, [
      USER,
      randomUUID(),
    ]);
  });
  afterEach(() => stage.close());

  const erasures = (): Promise<{ isBrokenOff: boolean }[]> =>
    stage.database.query(`SELECT ends_at <= clock_timestamp() AS "isBrokenOff" FROM erasures`);

  it('is ended when nothing but an audience worker runs', async () => {
    await stage.start({ worksOnJobs: false, SWEEP_INTERVAL_MS: '50' });
    await untilTrue(async () => (await erasures()).length === 0);
    expect(await tracesIn(stage.database, [USER])).toEqual([]);
    expect(await stage.database.query(`SELECT user_id FROM installations`)).toEqual([{ user_id: 'user-2' }]);
  });

  it('is broken off when the worker stops, and the next worker ends it', async () => {
    const worker = await stage.start({ worksOnJobs: false });
    await untilTrue(async () => (await erasures()).length === 0);
    // From here on the worker's own task resumes nothing.
    const task = stage.database.createQueryRunner();
    await task.query('SELECT pg_advisory_lock($1)', [LOCK_IDS.resumeErasures]);
    await stage.database.query(
      `INSERT INTO erasures (app_id, user_id, erasure_id, ends_at) VALUES ('shop', 'user-2', $1, now())`,
      [randomUUID()],
    );
    const eraseUser = worker.get(EraseUser);
    await eraseUser.resume(AbortSignal.abort());
    expect(await erasures()).toEqual([{ isBrokenOff: true }]);
    expect(await stage.database.query(`SELECT user_id FROM installations`)).toEqual([{ user_id: 'user-2' }]);
    expect(await eraseUser.resume(new AbortController().signal)).toBe(true);
    expect(await erasures()).toEqual([]);
    expect(await tracesIn(stage.database, [USER, 'user-2'])).toEqual([]);
    await task.query('SELECT pg_advisory_unlock($1)', [LOCK_IDS.resumeErasures]);
    await task.release();
  });
});
