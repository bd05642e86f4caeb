import { HOUR_MS } from '@postrider/domain';
import { type PageKey, PagesRepository } from '@postrider/persistence';
import { untilTrue } from '@postrider/testing';
import { SharedExclusiveLock } from './shared-exclusive-lock';
import { accepted } from '../../testing/fake-sender';
import { usePageStage } from '../../testing/page-stage';

describe('a page whose worker was lost', () => {
  const stage = usePageStage();

  /** A worker claims the page, is killed, and its lease ends. */
  async function lose(key: PageKey, workers = 1): Promise<void> {
    for (let worker = 1; worker <= workers; worker++) {
      const now = stage.clock.now();
      const claim = { leasedBy: `killed-${worker}`, now, leaseUntil: now, isAlone: true };
      expect(await new PagesRepository(stage.database.dataSource).claim(key, claim)).not.toBeNull();
    }
  }

  async function lossesOf({ messageId }: PageKey): Promise<unknown[]> {
    return (await stage.ledger.pages(messageId)).map(({ losses }) => losses);
  }

  it('is worked like any other after the first, and somebody hears of it', async () => {
    const { key } = await stage.pageOf(3);
    await lose(key);
    const worker = stage.worker();
    expect(await worker.attempt('fcm', key)).toEqual({ kind: 'finished' });
    expect(Object.values(await stage.ledger.states(key))).toEqual(['sent', 'sent', 'sent']);
    expect(worker.lines).toContainEqual(expect.objectContaining({ event: 'page.taken-over', losses: 1 }));
    expect(await worker.metrics.metrics()).toContain('postrider_pages_with_lost_workers_total{action="worked"} 1');
  });

  it('is worked alone after the second: it waits until the others have ended', async () => {
    const [one, suspect] = await pagesOf(2);
    await lose(suspect, 2);
    stage.sender.answer = () => undefined;
    const worker = stage.worker();
    const first = worker.attempt('fcm', one);
    await stage.sender.untilWaiting(1);
    const waits = jest.spyOn(SharedExclusiveLock.prototype, 'exclusive');
    const alone = worker.attempt('fcm', suspect);
    await untilTrue(() => waits.mock.calls.length === 1);
    waits.mockRestore();
    // Long enough for PostgreSQL to see a claim that does not wait.
    for (let look = 0; look < 50; look++)
      expect(await stage.ledger.pages(suspect.messageId)).toMatchObject([{ leased_by: 'killed-2' }]);
    expect(stage.sender.sent).toEqual(['t1']);
    stage.sender.release();
    expect(await first).toEqual({ kind: 'finished' });
    await stage.sender.untilWaiting(1);
    expect(stage.sender.sent).toEqual(['t1', 't2']);
    stage.sender.release();
    expect(await alone).toEqual({ kind: 'finished' });
  });

  it('is not worked again after the third: what has no outcome has failed, and the message is done', async () => {
    const { key, devices } = await stage.pageOf(3);
    await stage.ledger.run(
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, created_at, updated_at)
       VALUES ($1, $2, $3, 'sent', 1, 'fcm', now(), now())`,
      [key.appId, key.messageId, devices[0]],
    );
    await lose(key, 3);
    const worker = stage.worker();
    expect(await worker.attempt('fcm', key)).toEqual({ kind: 'finished' });
    await worker.complete();
    expect(stage.sender.sent).toEqual([]);
    expect(await stage.ledger.deliveries(key.messageId)).toMatchObject([
      { state: 'sent' },
      { state: 'failed', error_code: 'worker_lost', reason: expect.stringContaining('Three workers') },
      { state: 'failed', error_code: 'worker_lost' },
    ]);
    expect(await stage.ledger.message(key.messageId)).toMatchObject({ status: 'done' });
    expect(worker.lines).toContainEqual(expect.objectContaining({ event: 'page.parked', losses: 3, failed: 2 }));
    expect(await worker.metrics.metrics()).toContain('postrider_pages_with_lost_workers_total{action="parked"} 1');
  });

  it('has lost none when its worker stopped in order', async () => {
    const { key } = await stage.pageOf(3);
    stage.sender.answer = () => undefined;
    const { attempt, stop } = stage.worker({ concurrency: 2 });
    const end = attempt('fcm', key);
    await stage.sender.untilWaiting(1);
    stop();
    stage.sender.release();
    expect(await end).toMatchObject({ kind: 'waits' });
    stage.sender.answer = accepted;
    expect(await stage.worker().attempt('fcm', key)).toEqual({ kind: 'finished' });
    expect(await lossesOf(key)).toEqual([0]);
  });

  it('has lost none when its worker could not renew its lease and finds out later', async () => {
    const { key } = await stage.pageOf(2);
    stage.sender.answer = () => undefined;
    const stalled = stage.worker({ instanceId: 'stalled' });
    const end = stalled.attempt('fcm', key);
    await stage.sender.untilWaiting(1);
    await stage.ledger.run(`UPDATE pages SET wake_at = $1`, [stage.clock.now()]);
    const heir = stage.worker({ instanceId: 'heir' });
    const heirs = heir.attempt('fcm', key);
    await stage.sender.untilWaiting(3);
    expect(await lossesOf(key)).toEqual([1]);
    await stalled.renewLeases();
    while ((await lossesOf(key))[0] !== 0) await new Promise((next) => setImmediate(next));
    stage.sender.release();
    expect(await end).toEqual({ kind: 'lost' });
    expect(await heirs).toEqual({ kind: 'finished' });
    expect(await lossesOf(key)).toEqual([0]);
  });

  it('is not taken by the worker itself that could not renew its lease: what it sent is recorded, and sent once', async () => {
    const { key } = await stage.pageOf(2);
    stage.sender.answer = () => undefined;
    const worker = stage.worker();
    const end = worker.attempt('fcm', key);
    await stage.sender.untilWaiting(2);
    const { dataSource } = stage.database;
    const query = jest.spyOn(dataSource, 'query');
    query.mockImplementation(() => Promise.reject(new Error('No space left on device')));
    expect(await worker.renewLeases()).toBe(false);
    query.mockRestore();
    await stage.ledger.run(`UPDATE pages SET wake_at = $1`, [stage.clock.now()]);
    expect(await worker.attempt('fcm', key)).toMatchObject({ kind: 'waits' });
    stage.sender.release();
    expect(await end).toEqual({ kind: 'finished' });
    expect(stage.sender.sent).toHaveLength(2);
    expect(await lossesOf(key)).toEqual([0]);
  });

  it('is not taken by the worker itself while the renewal of its lease waits for a busy PostgreSQL: it is sent once', async () => {
    const { key } = await stage.pageOf(1);
    stage.sender.answer = () => undefined;
    const worker = stage.worker();
    const first = worker.attempt('fcm', key);
    await stage.sender.untilWaiting(1);
    stage.clock.advance(10_500);
    expect(await worker.attempt('fcm', key)).toEqual({ kind: 'waits', delayMs: 1_000 });
    stage.sender.release();
    expect(await first).toEqual({ kind: 'finished' });
    expect(stage.sender.sent).toEqual(['t1']);
  });

  it('has lost none when something went wrong that its worker survived: it waits again at once', async () => {
    const { key } = await stage.pageOf(1);
    await stage.ledger.run(`UPDATE messages SET content = '{"content":"{{ user.name }}"}'`);
    const { dataSource } = stage.database;
    const really = dataSource.query.bind(dataSource);
    const query = jest.spyOn(dataSource, 'query');
    query.mockImplementation((...call) => {
      if (JSON.stringify(call).includes('attributes')) return Promise.reject(new Error('went wrong'));
      return really(...call);
    });
    await expect(stage.worker().attempt('fcm', key)).rejects.toThrow('went wrong');
    query.mockRestore();
    expect(await stage.ledger.pages(key.messageId)).toMatchObject([{ state: 'waiting', leased_by: null, losses: 0 }]);
    expect(await stage.worker().attempt('fcm', key)).toEqual({ kind: 'finished' });
  });

  it.each([
    ['campaign', 'claim'],
    ['transactional', 'claimMany'],
  ] as const)(
    'has lost none when the answer to its claim (%s) is lost: it waits again at once',
    async (lane, method) => {
      const { key } = await stage.pageOf(2);
      const really = PagesRepository.prototype[method] as (...call: unknown[]) => Promise<never>;
      const claim = jest.spyOn(PagesRepository.prototype, method);
      claim.mockImplementationOnce(async function (this: PagesRepository, ...call: unknown[]) {
        await really.apply(this, call);
        throw new Error('Connection terminated unexpectedly');
      });
      const worker = stage.worker();
      await expect(worker.attempt('fcm', { ...key, lane })).rejects.toThrow('Connection terminated');
      claim.mockRestore();
      expect(await stage.ledger.pages(key.messageId)).toMatchObject([{ state: 'waiting', leased_by: null, losses: 0 }]);
      expect(await worker.attempt('fcm', { ...key, lane })).toEqual({ kind: 'finished' });
      expect(stage.sender.sent).toHaveLength(2);
      expect(await lossesOf(key)).toEqual([0]);
    },
  );

  it('is not given up for the time in which no worker was there', async () => {
    const { key } = await stage.pageOf(1, 12 * 3_600);
    const [triedAt, dueAt] = [-10_000, 0].map((ms) => new Date(stage.clock.now().getTime() + ms));
    await stage.ledger.run(`UPDATE pages SET attempt = 2, first_attempt_at = $1, not_before = $2`, [triedAt, dueAt]);
    stage.clock.advance(2 * HOUR_MS);
    stage.sender.answer = () => ({ kind: 'retryable', code: 'UNAVAILABLE', reason: 'overloaded', retryAfterMs: null });
    expect(await stage.worker().attempt('fcm', key)).toEqual({ kind: 'finished' });
    expect(stage.sender.sent).toHaveLength(1);
    expect(await stage.ledger.states(key)).toEqual({});
    expect(await stage.ledger.run(`SELECT attempt FROM pages WHERE state = 'waiting'`)).toEqual([{ attempt: 3 }]);
  });

  /** Messages of one device each: `t1`, `t2`, … */
  async function pagesOf(count: number): Promise<[PageKey, PageKey]> {
    const devices = await stage.addDevices(count);
    const keys: PageKey[] = [];
    for (const device of devices) {
      keys.push(await stage.ledger.addMessage({ devices: [device], acceptedAt: stage.clock.now() }));
    }
    return keys as [PageKey, PageKey];
  }
});
