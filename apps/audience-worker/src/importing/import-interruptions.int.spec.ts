import { HOUR_MS } from '@postrider/domain';
import { RecoverDeviceImports } from '@postrider/maintenance';
import { ErasuresRepository, inTransaction, rows } from '@postrider/persistence';
import { createLogger, newId } from '@postrider/platform';
import { clockShowing, testRedisUrl, uniquePrefix } from '@postrider/testing';
import { startAudienceWorker } from '../testing/start-audience-worker';
import type { ImportDevicesOutcome } from './import-devices.service';
import { countsOf, FCM, tokenList, useTestImports } from './testing/test-imports';

const RECOVERY = { sweepIntervalMs: 1, retentionDays: 30 };
const logger = createLogger('test', { logLevel: 'silent', logFormat: 'json' });

describe('an import that is interrupted or overlaps others', () => {
  const imports = useTestImports();

  /** Begins an upload of which one piece has arrived. */
  async function begin(giveUpAt: Date): Promise<string> {
    const key = { appId: 'shop', jobId: newId() };
    await imports.files.insert(key, { name: null, kind: 'csv', options: {}, createdAt: giveUpAt, giveUpAt });
    await imports.files.insertChunk(key, 0, Buffer.from('t1,ada\n'));
    return key.jobId;
  }

  it('counts every record once, however often it is stopped and however many work it', async () => {
    const jobId = await imports.upload(tokenList(9_000), 'tokens', { pushType: 'fcm', hasHeader: false });
    const stopped = AbortSignal.abort();
    expect(await imports.turn(jobId, { signal: stopped })).toBe('unfinished');
    expect(await imports.files.find({ appId: 'shop', jobId })).toMatchObject({ created: 2_000, lines: 2_000 });
    const outcomes = await Promise.all([
      imports.turn(jobId, { signal: stopped }),
      imports.turn(jobId, { signal: stopped }),
      imports.turn(jobId, { signal: stopped }),
    ]);
    expect(outcomes).toContain('taken');
    const { job } = await imports.work(jobId);
    expect(countsOf(job)).toMatchObject({ status: 'done', lines: 9_000, created: 9_000, updated: 0, unchanged: 0 });
    expect(await imports.devices()).toHaveLength(9_000);
  });

  it('fails at the end of a JSON document that ends within its list, wherever its turns end', async () => {
    const devices = Array.from({ length: 4_000 }, (_, n) => `{"token":"t${n}","userId":"u${n % 500}"}`);
    const list = `[${devices.join()}`;
    const options = { kind: 'json', pushType: 'fcm' } as const;
    for (const [text, expected] of [
      [list, { status: 'failed', reason: 'element 4000 is missing: the file ends within its list' }],
      [`${list}]`, { status: 'done', reason: null, lines: 4_000 }],
    ] as const) {
      const jobId = await imports.upload(text, 'tokens', options);
      while ((await imports.turn(jobId, { signal: AbortSignal.abort() })) === 'unfinished');
      expect(await imports.files.find({ appId: 'shop', jobId })).toMatchObject(expected);
    }
    expect(await imports.devices()).toHaveLength(4_000);
  });

  it('lets two files of the same devices in at once', async () => {
    const [one, other] = await Promise.all([
      imports.importOf(tokenList(4_000), 'tokens', FCM),
      imports.importOf(tokenList(4_000), 'tokens', FCM),
    ]);
    expect(one.job.created + other.job.created).toBe(4_000);
    expect(one.job.unchanged + other.job.unchanged + one.job.updated + other.job.updated).toBe(4_000);
    expect(await imports.devices()).toHaveLength(4_000);
  });

  it('makes devices in the order of their tokens, so that two files do not wait for each other', async () => {
    const made = (): Promise<unknown[]> => rows(imports.database, `SELECT token FROM installations ORDER BY id`);
    const list = (...tokens: string[]): string => tokens.map((token, n) => `${token},user${n}`).join('\n');
    await imports.importOf(list('token-d', 'token-b', 'token-c'), 'tokens', { pushType: 'fcm', hasHeader: false });
    const copied = [{ token: 'token-b' }, { token: 'token-c' }, { token: 'token-d' }];
    expect(await made()).toEqual(copied);
    // One exists, so the others are not copied.
    await imports.importOf(list('token-f', 'token-b', 'token-e'), 'tokens', { pushType: 'fcm', hasHeader: false });
    expect(await made()).toEqual([...copied, { token: 'token-e' }, { token: 'token-f' }]);
  });

  it('takes one connection for each file, and two more for all of them', async () => {
    const lines = (prefix: string): string =>
      Array.from({ length: 60 }, (_, n) => `${prefix}-${n},${prefix}${n}`).join('\n');
    const options = { pushType: 'hms', hasHeader: false, validationRate: 5 } as const;
    const jobIds = await Promise.all(
      ['one', 'two', 'three', 'four'].map((prefix) => imports.upload(lines(prefix), 'tokens', options)),
    );
    let open = 0;
    let mostOpen = 0;
    const transaction = imports.database.transaction.bind(imports.database) as (
      work: (executor: unknown) => unknown,
    ) => Promise<unknown>;
    const spy = jest.spyOn(imports.database, 'transaction').mockImplementation((async (
      work: (executor: unknown) => unknown,
    ) => {
      mostOpen = Math.max(mostOpen, (open += 1));
      return transaction(work).finally(() => (open -= 1));
    }) as never);
    const worker = imports.worker();
    const importFile = async (jobId: string): Promise<string> => {
      const outcome = await worker.work({ appId: 'shop', jobId }, new AbortController().signal, true);
      return outcome === 'unfinished' ? importFile(jobId) : outcome;
    };
    expect(await Promise.all(jobIds.map(importFile))).toEqual(jobIds.map(() => 'done'));
    spy.mockRestore();
    expect(mostOpen).toBeLessThanOrEqual(jobIds.length + 2);
    expect(await imports.devices()).toHaveLength(240);
  });

  it('waits for whoever holds a user, and gives each application its own devices', async () => {
    await imports.importOf('t1,ada\n', 'tokens', FCM);
    const jobId = await imports.upload('t1,ada\nt2,ada\n', 'tokens', { ...FCM, appId: 'other' });
    expect(await imports.turn(jobId, { appId: 'other' })).toBe('done');
    expect(await imports.devices('other')).toHaveLength(2);
    const waiting = await imports.upload('t3,ada\n', 'tokens', FCM);
    let done: Promise<ImportDevicesOutcome> | undefined;
    await inTransaction(imports.database, async (executor) => {
      await rows(executor, `SELECT FROM users WHERE app_id = 'shop' AND user_id = 'ada' FOR UPDATE`);
      done = imports.turn(waiting);
      const locks = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      while ((await rows(imports.database, locks)).length === 0);
    });
    expect(await done).toBe('done');
    expect(await imports.devices()).toHaveLength(2);
  });

  it('waits for the erasure of a user whom it names, and then goes on at once', async () => {
    const erasures = new ErasuresRepository(imports.database);
    const erasure = { appId: 'shop', userId: 'ada', erasureId: newId() };
    await erasures.begin(erasure);
    const jobId = await imports.upload('t1,ada\nt2,bob\n', 'tokens', FCM);
    const worker = await startAudienceWorker(imports.database, { redisUrl: testRedisUrl(), prefix: uniquePrefix() });
    const linesOf = (event: string): object[] => worker.lines.filter((line) => line.event === event);
    try {
      await worker.get(RecoverDeviceImports).run();
      while (linesOf('devices.imported').length + linesOf('job.failed').length === 0) await imports.devices();
      expect(linesOf('job.failed')).toEqual([]);
      expect(linesOf('devices.imported')[0]).toMatchObject({ outcome: 'erasing', lines: 0 });
      expect(await imports.devices()).toEqual([]);
      await erasures.finish(erasure);
      while ((await imports.files.find({ appId: 'shop', jobId }))?.status !== 'done');
      expect(await imports.devices()).toHaveLength(2);
      expect(linesOf('job.failed')).toEqual([]);
    } finally {
      await worker.stop();
    }
  });

  it('ends when it is cancelled or its application goes, and is woken when nobody works it', async () => {
    const jobId = await imports.upload(tokenList(5_000), 'tokens', FCM);
    expect(await imports.turn(jobId, { signal: AbortSignal.abort() })).toBe('unfinished');
    const woken: object[] = [];
    const enqueuer = { enqueueFiles: (_job: object, some: object[]) => Promise.resolve(woken.push(...some) > 0) };
    const later = clockShowing(() => new Date(Date.now() + HOUR_MS));
    await new RecoverDeviceImports(imports.files, later, enqueuer as never, logger, RECOVERY).run();
    expect(woken).toEqual([{ appId: 'shop', jobId }]);
    const end = { reason: 'cancelled', now: new Date(), wakeAt: new Date() };
    expect(await imports.files.fail({ appId: 'shop', jobId }, end)).toBe(true);
    expect(await imports.turn(jobId)).toBe('over');
    expect(await imports.devices()).toHaveLength(2_000);
    expect(await rows(imports.database, `SELECT 1 FROM device_import_chunks`)).toEqual([]);
    const another = await imports.upload(tokenList(5_000, 'x'), 'tokens', FCM);
    expect(await imports.turn(another, { signal: AbortSignal.abort() })).toBe('unfinished');
    await rows(imports.database, `DELETE FROM device_imports WHERE job_id = $1`, [another]);
    expect(await imports.turn(another)).toBe('over');
  });

  it('fails when its upload was cut off, and says so; an upload that its gateway renews goes on', async () => {
    const now = new Date();
    const recover = (at: Date): Promise<boolean> =>
      new RecoverDeviceImports(
        imports.files,
        clockShowing(() => at),
        {} as never,
        logger,
        RECOVERY,
      ).run();
    const [cutOff, slow] = [await begin(now), await begin(now)];
    expect(await imports.files.renew({ appId: 'shop', jobId: slow }, new Date(now.getTime() + HOUR_MS))).toBe(true);
    await recover(new Date(now.getTime() + 1));
    const found = await imports.files.find({ appId: 'shop', jobId: cutOff });
    expect(found).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/^The upload was cut off.*send it again$/) as string,
      finishedAt: new Date(now.getTime() + 1),
    });
    expect(await imports.files.find({ appId: 'shop', jobId: slow })).toMatchObject({ status: 'uploading' });
    expect(await rows(imports.database, `SELECT job_id AS id FROM device_import_chunks`)).toEqual([{ id: slow }]);
    // A gateway that was only held up finds that it may not go on, and starts nothing.
    expect(await imports.files.renew({ appId: 'shop', jobId: cutOff }, now)).toBe(false);
    expect(await imports.files.start({ appId: 'shop', jobId: cutOff }, { bytes: 1, wakeAt: now })).toBe(false);
    // It is kept as long as other imports.files.
    await recover(new Date(now.getTime() + 30 * 24 * HOUR_MS));
    expect(await imports.files.find({ appId: 'shop', jobId: cutOff })).not.toBeNull();
    await recover(new Date(now.getTime() + 31 * 24 * HOUR_MS));
    expect(await imports.files.find({ appId: 'shop', jobId: cutOff })).toBeNull();
  });
});
