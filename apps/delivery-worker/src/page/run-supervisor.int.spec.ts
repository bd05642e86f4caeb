import type { PageKey } from '@postrider/persistence';
import { untilTrue } from '@postrider/testing';
import { pino } from 'pino';
import { accepted } from '../testing/fake-sender';
import { usePageStage } from '../testing/page-stage';

/** A pool that tells of the connection of every statement. */
interface Connecting {
  connect(connected: (error: Error) => void): void;
}

describe('a page whose worker is interrupted', () => {
  const stage = usePageStage();

  it('repeats only what was not recorded when a worker died in the middle of the page', async () => {
    const { key, devices } = await stage.pageOf(10);
    stage.sender.answer = (token, times) => (['t4', 't5'].includes(token) && times === 1 ? undefined : accepted(token));
    const dead = stage.worker({ instanceId: 'dead', concurrency: 100 });
    const lost = dead.attempt('fcm', key);
    await stage.sender.untilWaiting(2);
    stage.clock.advance(101);
    await recorded(key, 8);
    const heir = stage.worker({ instanceId: 'heir' });
    expect(await heir.attempt('fcm', key)).toMatchObject({ kind: 'waits' });
    await stage.ledger.run(`UPDATE pages SET wake_at = $1`, [stage.clock.now()]);
    stage.sender.sent.length = 0;
    expect(await heir.attempt('fcm', key)).toEqual({ kind: 'finished' });
    expect(stage.sender.sent).toEqual(['t4', 't5']);
    expect(Object.keys(await stage.ledger.states(key))).toHaveLength(devices.length);

    stage.sender.release(() => ({
      kind: 'request_invalid',
      code: 'LATE',
      reason: 'from the worker that lost the page',
    }));
    expect(await lost).toEqual({ kind: 'lost' });
    expect(new Set(Object.values(await stage.ledger.states(key)))).toEqual(new Set(['sent']));
  });

  it('gives a page to one of two workers', async () => {
    const { key } = await stage.pageOf(50);
    const ends = await Promise.all([stage.worker().attempt('fcm', key), stage.worker().attempt('fcm', key)]);
    expect(ends.filter((end) => end?.kind === 'finished')).toHaveLength(1);
    expect(stage.sender.sent).toHaveLength(50);
  });

  it('gives the rest of a page back when the process stops, after what was in flight', async () => {
    const { key, devices } = await stage.pageOf(8);
    stage.sender.answer = () => undefined;
    const { attempt, stop } = stage.worker({ concurrency: 5 });
    const end = attempt('fcm', key);
    await stage.sender.untilWaiting(4);
    stop();
    stage.sender.release();
    expect(await end).toMatchObject({ kind: 'waits' });
    expect(Object.values(await stage.ledger.states(key))).toEqual(['sent', 'sent', 'sent', 'sent']);
    const [page] = await stage.ledger.pages(key.messageId);
    expect(page).toMatchObject({ state: 'waiting', not_before: null, device_ids: devices.slice(4) });
    expect((page?.wake_at as Date).getTime()).toBeLessThanOrEqual(stage.clock.now().getTime());

    stage.sender.answer = accepted;
    expect(await stage.worker().attempt('fcm', key)).toEqual({ kind: 'finished' });
    expect(stage.sender.sent).toHaveLength(8);
  });

  it('expires in time while it waits in hand for a call that shows if its vendor works', async () => {
    const refused = { kind: 'config', code: 'PERMISSION_DENIED', reason: 'wrong key' } as const;
    stage.sender.answer = () => refused;
    const { attempt, supervisor } = stage.worker();
    const { key, devices } = await stage.pageOf(2);
    await attempt('fcm', key);
    stage.clock.advance(2_001);
    stage.sender.answer = () => undefined;
    const probe = attempt('fcm', key);
    await stage.sender.untilWaiting(1);
    const late = await stage.ledger.addMessage({ devices, acceptedAt: stage.clock.now(), ttlSeconds: 3 });
    const end = attempt('fcm', late);
    await untilTrue(async () => (await stage.ledger.pages(late.messageId))[0]?.state === 'running');
    stage.clock.advance(3_000);
    await untilTrue(async () => {
      await supervisor.watch();
      return (await stage.ledger.pages(late.messageId))[0]?.state === 'finished';
    });
    expect(await end).toEqual({ kind: 'finished' });
    expect(Object.values(await stage.ledger.states(late))).toEqual(['expired', 'expired']);
    stage.sender.release();
    stage.sender.answer = accepted;
    await probe;
  });

  it('keeps what came of the calls while PostgreSQL is away, sends nothing meanwhile, warns once, and goes on', async () => {
    const { key } = await stage.pageOf(12);
    stage.sender.answer = (token, times) => (Number(token.slice(1)) > 2 && times === 1 ? undefined : accepted(token));
    const { attempt, lines } = stage.worker({ concurrency: 8, logLevel: 'debug' });
    const end = attempt('fcm', key);
    await stage.sender.untilWaiting(6);
    const { master: pool } = stage.database.dataSource.driver as unknown as { master: Connecting };
    const connect = jest.spyOn(pool, 'connect');
    connect.mockImplementation((connected) =>
      connected(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })),
    );
    const delayed = (times: number): Promise<void> => {
      stage.clock.advance(301);
      return untilTrue(() => lines.filter(({ event }) => event === 'page.flush-delayed').length >= times);
    };
    await delayed(1);
    const before = stage.sender.sent.length;
    stage.sender.answer = accepted;
    stage.sender.release();
    for (let times = 2; times <= 5; times++) await delayed(times);
    expect(stage.sender.sent).toHaveLength(before);
    const warnings = lines.filter(
      ({ event, level }) => event === 'page.flush-delayed' && level === pino.levels.values.warn,
    );
    expect(warnings).toEqual([expect.objectContaining({ pageId: key.pageId, reason: 'connect ECONNREFUSED' })]);

    connect.mockRestore();
    stage.clock.advance(1_000);
    expect(await end).toEqual({ kind: 'finished' });
    expect(stage.sender.sent).toHaveLength(12);
    expect(Object.values(await stage.ledger.states(key))).toEqual(Array(12).fill('sent'));
  });

  /** Waits until `count` deliveries are recorded: the flush runs on a timer of its own. */
  async function recorded({ messageId }: PageKey, count: number): Promise<void> {
    while ((await stage.ledger.deliveries(messageId)).length < count)
      await new Promise((resolve) => setImmediate(resolve));
  }
});
