import type { PageKey } from '@postrider/persistence';
import { type AttemptPagePayload, JobContext, sharedPageJobs } from '@postrider/queues';
import { usePageStage } from '../testing/page-stage';
import { AttemptPageProcessor } from './attempt-page.processor';
import type { AttemptPageService } from './attempt-page.service';

describe('the job of a page that cannot be claimed now', () => {
  const stage = usePageStage();

  it.each([
    ['that nothing steers', ''],
    ['with a rate', `WITH rated AS (UPDATE messages SET rate = 20) UPDATE pages SET is_steered = true`],
  ])('comes back for a page %s whose row somebody holds at this moment', async (_, steer) => {
    const { key } = await stage.pageOf(2);
    if (steer !== '') await stage.ledger.run(steer);
    await stage.ledger.run(`UPDATE pages SET not_before = $1`, [new Date(stage.clock.now().getTime() + 1)]);
    const { attempt } = stage.worker();
    const recovery = stage.database.dataSource.createQueryRunner();
    await recovery.startTransaction();
    // Recovery enqueues a page and then puts off its next look: its job may come in between.
    await recovery.query(`UPDATE pages SET state = 'waiting'`);
    expect(await attempt('fcm', key)).toEqual({ kind: 'waits', delayMs: 50 });
    stage.clock.advance(1);
    if (steer !== '') expect(await attempt('fcm', key)).toEqual({ kind: 'waits', delayMs: 50 });
    await recovery.commitTransaction();
    await recovery.release();
    expect(await attempt('fcm', key)).toEqual({ kind: 'finished' });
    expect(stage.sender.sent).toHaveLength(2);
  });

  it('comes when its page is due, not before', async () => {
    const { key } = await stage.pageOf(1);
    await stage.ledger.run(`UPDATE pages SET not_before = $1`, [new Date(stage.clock.now().getTime() + 800)]);
    const { attempt } = stage.worker();
    expect(await attempt('fcm', key)).toEqual({ kind: 'waits', delayMs: 805 });
    stage.clock.advance(805);
    expect(await attempt('fcm', key)).toEqual({ kind: 'finished' });
  });

  it('comes when the lease of the worker that has its page is over: that one may be dead', async () => {
    const { key } = await stage.pageOf(1);
    stage.sender.answer = () => undefined;
    void stage.worker({ instanceId: 'killed' }).attempt('fcm', key);
    await stage.sender.untilWaiting(1);
    const heir = stage.worker({ instanceId: 'heir' });
    const end = await heir.attempt('fcm', key);
    expect(end).toEqual({ kind: 'waits', delayMs: 10_005 });
  });

  it('leaves a page that is due much later to recovery, and one that is finished to nobody', async () => {
    const { key } = await stage.pageOf(1);
    const { attempt } = stage.worker();
    await stage.ledger.run(`UPDATE pages SET not_before = $1`, [new Date(stage.clock.now().getTime() + 3_600_000)]);
    expect(await attempt('fcm', key)).toBeNull();
    await stage.ledger.run(`UPDATE pages SET not_before = NULL`);
    expect(await attempt('fcm', key)).toEqual({ kind: 'finished' });
    expect(await attempt('fcm', key)).toBeNull();
  });

  it('goes back to the queue at once when the worker that took it stops', async () => {
    const { key } = await stage.pageOf(1);
    const processor = new AttemptPageProcessor({ attempt: stage.worker().attempt } as unknown as AttemptPageService);
    const context = new JobContext({ queue: 'delivery.fcm', name: 'attempt-page', signal: AbortSignal.abort() });
    expect(await processor.attempt({ ...key, lane: 'campaign' }, context)).toEqual({ kind: 'again', delayMs: 0 });
    expect(stage.sender.sent).toEqual([]);
  });
});

describe('the job of several pages', () => {
  const stage = usePageStage();

  const contextOf = (): JobContext =>
    new JobContext({ queue: 'delivery.fcm', name: 'attempt-page', signal: new AbortController().signal });

  async function jobOf(count: number): Promise<{ keys: PageKey[]; payload: AttemptPagePayload }> {
    const devices = await stage.addDevices(count);
    const keys: PageKey[] = [];
    for (const id of devices)
      keys.push(await stage.ledger.addMessage({ devices: [id], acceptedAt: stage.clock.now(), lane: 'transactional' }));
    const [payload] = sharedPageJobs(keys.map((key) => ({ ...key, lane: 'transactional' as const })));
    return { keys, payload: payload as AttemptPagePayload };
  }

  it('is done when all are, and comes again when the first of those that wait is due', async () => {
    const { keys, payload } = await jobOf(5);
    const dueIn = async (place: number, ms: number): Promise<unknown> =>
      stage.ledger.run(`UPDATE pages SET not_before = $2 WHERE id = $1`, [
        keys[place]?.pageId,
        new Date(stage.clock.now().getTime() + ms),
      ]);
    await dueIn(1, 900);
    await dueIn(3, 400);
    const worker = stage.worker();
    const processor = new AttemptPageProcessor({ attempt: worker.attempt } as unknown as AttemptPageService);
    expect(await processor.attempt(payload, contextOf())).toEqual({ kind: 'again', delayMs: 405 });
    expect(stage.sender.sent.toSorted()).toEqual(['t1', 't3', 't5']);
    stage.clock.advance(405);
    expect(await processor.attempt(payload, contextOf())).toEqual({ kind: 'again', delayMs: 500 });
    stage.clock.advance(500);
    expect(await processor.attempt(payload, contextOf())).toBeUndefined();
    expect(stage.sender.sent.toSorted()).toEqual(['t1', 't2', 't3', 't4', 't5']);
  });

  it('fails after all have ended, when one of them does', async () => {
    const { payload } = await jobOf(3);
    const ended: string[] = [];
    const attempt = async (_: unknown, { pageId }: PageKey): Promise<null> => {
      if (pageId === payload.pageId) throw new Error('not this one');
      await new Promise((later) => setImmediate(later));
      ended.push(pageId);
      return null;
    };
    const processor = new AttemptPageProcessor({ attempt } as unknown as AttemptPageService);
    await expect(processor.attempt(payload, contextOf())).rejects.toThrow('not this one');
    expect(ended).toHaveLength(2);
  });
});
