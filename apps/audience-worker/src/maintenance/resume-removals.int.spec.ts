import { RemoveApplication } from '@postrider/maintenance';
import { LOCK_IDS, rows } from '@postrider/persistence';
import { countWaiting, createShop, untilTrue } from '@postrider/testing';
import type { TestAudienceWorker } from '../testing/start-audience-worker';
import { WorkerStage } from '../testing/worker-stage';

describe('the removal of an application that its gateway left', () => {
  let stage: WorkerStage;
  /** A connection of its own: one of the pool may be the one by which the worker's task asks for the lock. */
  let otherWorker: ReturnType<WorkerStage['database']['createQueryRunner']>;

  beforeEach(async () => {
    stage = await WorkerStage.open();
    otherWorker = stage.database.createQueryRunner();
    await createShop(stage.database, 3);
    await stage.database.query(`INSERT INTO users (app_id, user_id) SELECT app_id, user_id FROM installations`);
    await leave();
  });
  afterEach(async () => {
    await otherWorker.release();
    await stage.close();
  });

  /** Leaves the removal as a process does that dies: nobody says any more that it goes on. */
  async function leave(): Promise<void> {
    await stage.database.query(
      `UPDATE applications SET removal_began_at = coalesce(removal_began_at, now()), removal_until = clock_timestamp()`,
    );
  }

  /** Counts what there is of the application, and tells whether a worker may take its removal. */
  async function left(): Promise<object> {
    const [found] = await rows(
      stage.database,
      `SELECT (SELECT count(*)::int FROM applications) AS applications, (SELECT count(*)::int FROM installations) AS devices,
         (SELECT count(*)::int FROM users) AS users, (SELECT bool_or(removal_until < clock_timestamp()) FROM applications) AS "isFree"`,
    );
    return found as object;
  }
  const nothing = { applications: 0, devices: 0, users: 0, isFree: null };

  /** Starts a worker whose own task resumes nothing, because another worker has the task's lock. */
  async function startWorker(): Promise<TestAudienceWorker> {
    await otherWorker.query('SELECT pg_advisory_lock($1)', [LOCK_IDS.resumeRemovals]);
    return stage.start({ worksOnJobs: false });
  }

  /** Runs `work` while the removal waits at the devices, which another transaction has locked. */
  async function atTheDevices(work: () => Promise<void>): Promise<void> {
    const holder = stage.database.createQueryRunner();
    await holder.startTransaction();
    await holder.query(`SELECT FROM installations FOR UPDATE`);
    await work();
    await holder.commitTransaction();
    await holder.release();
  }
  const waiting = (count: number): Promise<void> =>
    untilTrue(async () => (await countWaiting(stage.database)) === count);

  it('is ended when nothing but an audience worker runs', async () => {
    await stage.start({ worksOnJobs: false, SWEEP_INTERVAL_MS: '50' });
    await untilTrue(async () => (await stage.database.query('SELECT 1 FROM applications')).length === 0);
    expect(await left()).toEqual(nothing);
  });

  it('is given back in the middle when the worker stops, and the next one ends it', async () => {
    const removing = (await startWorker()).get(RemoveApplication);
    const stop = new AbortController();
    let stopped = Promise.resolve(false);
    await atTheDevices(async () => {
      stopped = removing.resume(stop.signal);
      await waiting(1);
      stop.abort();
    });
    await stopped;
    expect(await left()).toEqual({ applications: 1, devices: 0, users: 3, isFree: true });
    expect(await removing.resume(new AbortController().signal)).toBe(true);
    expect(await left()).toEqual(nothing);
    expect(await removing.resume(new AbortController().signal)).toBe(false);
  });

  it('does not hold up another one when it always fails', async () => {
    const removing = (await startWorker()).get(RemoveApplication);
    const { signal } = new AbortController();
    await stage.database.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`,
    );
    await stage.database.query(`CREATE TRIGGER refused BEFORE DELETE ON users FOR EACH ROW EXECUTE FUNCTION refuse()`);
    await stage.database.query(
      `INSERT INTO applications (app_id, name, identity_key_sealed, removal_began_at, removal_until)
       VALUES ('other', 'Other', '', now(), clock_timestamp())`,
    );
    await expect(removing.resume(signal)).rejects.toThrow('refused');
    expect(await removing.resume(signal)).toBe(true);
    expect(await rows(stage.database, 'SELECT app_id FROM applications')).toEqual([{ app_id: 'shop' }]);
  });

  it('is carried out by one worker, and by another one when that one is silent for too long', async () => {
    const removing = (await startWorker()).get(RemoveApplication);
    const { signal } = new AbortController();
    const ended: Promise<boolean>[] = [];
    await atTheDevices(async () => {
      ended.push(removing.resume(signal));
      await waiting(1);
      expect(await removing.resume(signal)).toBe(false);
      await leave();
      ended.push(removing.resume(signal));
      await waiting(2);
    });
    expect(await Promise.all(ended)).toEqual([true, true]);
    expect(await left()).toEqual(nothing);
  });
});
