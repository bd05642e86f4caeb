import { type PageKey, PagesRepository } from '@postrider/persistence';
import { untilTrue, whileHolding } from '@postrider/testing';
import { accepted } from '../../testing/fake-sender';
import { APP_ID } from '../../testing/ledger';
import { usePageStage } from '../../testing/page-stage';
import type { TestWorker } from '../../testing/test-worker';
import { addWebhook } from '../../webhooks/testing/webhook-worker';
import type { PageEnd } from '../run/page-run';

describe('small pages that are due together', () => {
  const stage = usePageStage();
  afterEach(() => jest.restoreAllMocks());

  /** Messages to one device each: the nth to the device with the token `t<n>`. */
  async function pagesOf(count: number): Promise<PageKey[]> {
    const devices = await stage.addDevices(count);
    const pages: PageKey[] = [];
    for (const id of devices)
      pages.push(
        await stage.ledger.addMessage({ devices: [id], acceptedAt: stage.clock.now(), lane: 'transactional' }),
      );
    return pages;
  }

  const attemptAll = (worker: TestWorker, pages: readonly PageKey[]): Promise<(PageEnd | null)[]> =>
    Promise.all(pages.map((page) => worker.attempt('fcm', { ...page, lane: 'transactional' })));

  const statesOf = async (pages: readonly PageKey[]): Promise<unknown[]> =>
    (await Promise.all(pages.map((page) => stage.ledger.states(page)))).map((states) => Object.values(states)[0]);

  const FINISHED = { kind: 'finished' };

  it('are claimed by one statement and ended by another, and their messages are done', async () => {
    const pages = await pagesOf(20);
    const claims = jest.spyOn(PagesRepository.prototype, 'claimMany');
    const endings = jest.spyOn(PagesRepository.prototype, 'settleMany');
    const alone = jest.spyOn(PagesRepository.prototype, 'settle');
    const worker = stage.worker();
    expect(await attemptAll(worker, pages)).toEqual(pages.map(() => FINISHED));
    await worker.complete();
    expect(claims.mock.calls.map(([keys]) => keys.length)).toEqual([20]);
    expect(endings.mock.calls.flatMap(([ended]) => ended)).toHaveLength(20);
    expect(endings.mock.calls.length).toBeLessThan(20);
    expect(alone).not.toHaveBeenCalled();
    expect(stage.sender.sent.toSorted()).toEqual(pages.map((_, n) => `t${n + 1}`).toSorted());
    expect(new Set(await statesOf(pages))).toEqual(new Set(['sent']));
    for (const { messageId } of pages) expect(await stage.ledger.message(messageId)).toMatchObject({ status: 'done' });
  });

  it('are ended together too where a webhook asks for failures, and each failure is told of once', async () => {
    await addWebhook(stage.database, APP_ID, 'https://example.com/', ['delivery.failed']);
    const pages = await pagesOf(20);
    stage.sender.answer = (token) =>
      token.endsWith('3') ? { kind: 'request_invalid', code: 'INVALID_ARGUMENT', reason: 'no' } : accepted(token);
    const endings = jest.spyOn(PagesRepository.prototype, 'settleMany');
    const alone = jest.spyOn(PagesRepository.prototype, 'settle');
    expect(await attemptAll(stage.worker(), pages)).toEqual(pages.map(() => FINISHED));
    expect(endings.mock.calls.flatMap(([ended]) => ended)).toHaveLength(20);
    expect(endings.mock.calls.length).toBeLessThan(20);
    expect(alone).not.toHaveBeenCalled();
    const told = await stage.ledger.run<{ data: { messageId: string; count: number; deliveries: object[] } }>(
      `SELECT data FROM webhook_events WHERE type = 'delivery.failed'`,
    );
    const failed = [pages[2], pages[12]] as PageKey[];
    expect(told.map(({ data }) => data.messageId).toSorted()).toEqual(
      failed.map(({ messageId }) => messageId).toSorted(),
    );
    for (const { data } of told)
      expect(data).toMatchObject({ count: 1, deliveries: [{ errorCode: 'INVALID_ARGUMENT', attempt: 1 }] });
  });

  it.each([
    ['that no webhook asks for', false],
    ['whose failures a webhook asks for', true],
  ])('are given back together by a worker that stops while their rows are locked: %s', async (_, isAskedFor) => {
    if (isAskedFor) await addWebhook(stage.database, APP_ID, 'https://example.com/', ['delivery.failed']);
    const pages = await pagesOf(20);
    stage.sender.answer = () => undefined;
    const worker = stage.worker({ concurrency: 5 });
    const ends = attemptAll(worker, pages);
    await stage.sender.untilWaiting(4);
    const RUNNING = `SELECT FROM pages WHERE state = 'running'`;
    await untilTrue(async () => (await stage.ledger.run(RUNNING)).length === pages.length);
    const endings = jest.spyOn(PagesRepository.prototype, 'settleMany');
    const alone = jest.spyOn(PagesRepository.prototype, 'settle');
    const stopped = await whileHolding(
      stage.database.dataSource,
      (held) => held.query('SELECT FROM pages FOR NO KEY UPDATE'),
      async () => {
        worker.stop();
        stage.sender.release();
        return ends;
      },
    );
    expect(stopped.filter((end) => end?.kind === 'waits')).toHaveLength(16);
    expect(alone).not.toHaveBeenCalled();
    expect(endings.mock.calls.filter(([, , whenLocked]) => whenLocked === 'waits').length).toBeLessThan(6);
    const states = await stage.ledger.run<{ state: string; leased_by: string | null }>(
      'SELECT state, leased_by FROM pages',
    );
    expect(states.filter(({ state, leased_by }) => state === 'waiting' && leased_by === null)).toHaveLength(16);
    expect((await statesOf(pages)).filter((state) => state === 'sent')).toHaveLength(4);
  });

  it('go their own ways: cancelled, expired, finished, in other hands, not due yet, locked, a second time', async () => {
    const pages = await pagesOf(8);
    const [cancelled, expired, finished, taken, later, locked, twice, plain] = pages as [
      ...[PageKey, PageKey, PageKey, PageKey, PageKey, PageKey, PageKey, PageKey],
    ];
    const now = stage.clock.now();
    await stage.ledger.run(`UPDATE messages SET status = 'cancelled' WHERE id = $1`, [cancelled.messageId]);
    const [anHourAgo, aMinuteAgo] = [3_600_000, 60_000].map((ms) => new Date(now.getTime() - ms));
    await stage.ledger.run(`UPDATE messages SET accepted_at = $2, expires_at = $3 WHERE id = $1`, [
      ...[expired.messageId, anHourAgo, aMinuteAgo],
    ]);
    await stage.ledger.run(`UPDATE pages SET state = 'finished' WHERE id = $1`, [finished.pageId]);
    await new PagesRepository(stage.database.dataSource).claim(taken, {
      leasedBy: 'another',
      now,
      leaseUntil: new Date(now.getTime() + 4_000),
    });
    const inASecond = new Date(now.getTime() + 1_000);
    await stage.ledger.run(`UPDATE pages SET not_before = $2 WHERE id = $1`, [later.pageId, inASecond]);
    const somebody = stage.database.dataSource.createQueryRunner();
    await somebody.startTransaction();
    await somebody.query('SELECT FROM pages WHERE id = $1 FOR UPDATE', [locked.pageId]);

    const worker = stage.worker();
    const lockedEnd = worker.attempt('fcm', { ...locked, lane: 'transactional' });
    const others = [cancelled, expired, finished, taken, later, twice, plain];
    const ends = await attemptAll(worker, [...others, twice]);
    expect(ends.slice(0, 5)).toEqual([
      FINISHED,
      FINISHED,
      null,
      { kind: 'waits', delayMs: 4_005 },
      { kind: 'waits', delayMs: 1_005 },
    ]);
    expect(ends[6]).toEqual(FINISHED);
    // It does not matter which of the two gets the page.
    expect([ends[5], ends[7]]).toContainEqual(FINISHED);
    expect(await statesOf([locked])).toEqual([undefined]);
    await somebody.commitTransaction();
    await somebody.release();
    expect(await lockedEnd).toEqual(FINISHED);

    expect(await statesOf(pages)).toEqual([
      ...['cancelled', 'expired', undefined, undefined, undefined, 'sent', 'sent', 'sent'],
    ]);
    expect(stage.sender.sent.toSorted()).toEqual(['t6', 't7', 't8']);
    expect(await stage.ledger.pages(taken.messageId)).toMatchObject([
      { state: 'running', leased_by: 'another', fence: 1 },
    ]);
  });

  it('fail alone: one that PostgreSQL refuses leaves the others alone', async () => {
    const pages = await pagesOf(6);
    await stage.ledger.run(
      `CREATE FUNCTION refuse() RETURNS trigger AS $$ BEGIN RAISE 'not this one'; END $$ LANGUAGE plpgsql`,
    );
    await stage.ledger.run(
      `CREATE TRIGGER refused BEFORE INSERT ON deliveries FOR EACH ROW WHEN (NEW.vendor_message_id = 'id of t3') EXECUTE FUNCTION refuse()`,
    );
    const worker = stage.worker();
    const ends = await Promise.allSettled(
      pages.map((page) => worker.attempt('fcm', { ...page, lane: 'transactional' })),
    );
    expect(ends.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
    ]);
    expect(await statesOf(pages)).toEqual(['sent', 'sent', undefined, 'sent', 'sent', 'sent']);
    await stage.ledger.run('DROP FUNCTION refuse CASCADE');
  });

  it('end for themselves: what is somebody else’s by now is not written, and the rest is', async () => {
    const pages = await pagesOf(5);
    stage.sender.answer = () => undefined;
    const slow = stage.worker({ instanceId: 'slow' });
    const slowEnds = attemptAll(slow, pages);
    await stage.sender.untilWaiting(5);
    // The worker's lease on one page ends, and another worker gets the page.
    const [, , lost] = pages as [PageKey, PageKey, PageKey];
    const now = new Date(stage.clock.now().getTime() + 11_000);
    const claim = { leasedBy: 'heir', now, leaseUntil: new Date(now.getTime() + 10_000) };
    expect(await new PagesRepository(stage.database.dataSource).claim(lost, claim)).toMatchObject({ fence: 2 });
    stage.sender.release();
    expect(await slowEnds).toEqual([FINISHED, FINISHED, { kind: 'lost' }, FINISHED, FINISHED]);
    expect(await statesOf(pages)).toEqual(['sent', 'sent', undefined, 'sent', 'sent']);
    expect(await stage.ledger.pages(lost.messageId)).toMatchObject([{ state: 'running', leased_by: 'heir', fence: 2 }]);
  });

  it('of a worker that is killed among them are worked by the next: nothing is missing, nothing recorded twice', async () => {
    const pages = await pagesOf(12);
    const answered = new Set(['t1', 't4', 't5', 't9']);
    stage.sender.answer = (token) => (answered.has(token) ? accepted(token) : undefined);
    const killed = stage.worker({ instanceId: 'killed' });
    for (const page of pages) void killed.attempt('fcm', { ...page, lane: 'transactional' });
    await stage.sender.untilWaiting(8);
    while ((await statesOf(pages)).filter((state) => state === 'sent').length < 4)
      await new Promise((later) => setImmediate(later));
    // The killed worker does nothing more.
    for (const page of pages)
      stage.ledger
        .run(`UPDATE pages SET wake_at = $2 WHERE id = $1 AND state = 'running'`, [page.pageId, stage.clock.now()])
        .catch(() => undefined);
    stage.clock.advance(11_000);
    stage.sender.answer = accepted;
    const heir = stage.worker({ instanceId: 'heir' });
    const ends = await attemptAll(heir, pages);
    expect(ends.filter((end) => end === null)).toHaveLength(4);
    expect(ends.filter((end) => end?.kind === 'finished')).toHaveLength(8);
    await heir.complete();
    expect(new Set(await statesOf(pages))).toEqual(new Set(['sent']));
    for (const { messageId } of pages) {
      expect(await stage.ledger.deliveries(messageId)).toHaveLength(1);
      expect(await stage.ledger.message(messageId)).toMatchObject({ status: 'done' });
    }
    // Only the messages that were in flight when the worker died were sent again.
    const times = new Map<string, number>();
    for (const token of stage.sender.sent) times.set(token, (times.get(token) ?? 0) + 1);
    for (const [token, count] of times) expect([token, count]).toEqual([token, answered.has(token) ? 1 : 2]);
    // The answers to the killed worker come too late.
    stage.sender.release();
    for (const { messageId } of pages) expect(await stage.ledger.deliveries(messageId)).toHaveLength(1);
  });
});
