import { TestSession } from '../testing/test-session';

describe('a device that reads slowly', () => {
  it('has a bounded number of messages waiting in its session, which asks for the others when there is room', async () => {
    const test = await TestSession.subscribed({}, { window: 1, capacity: 2 });
    for (let n = 1; n <= 6; n++) test.offer(test.delivery(n));
    expect(test.session.outbox.waiting).toBe(2);
    test.said.length = 0;
    for (let id = 1; id <= 2; id++) await test.send({ cmd: 'puback', messageId: id });
    expect(test.said).toContain('wants what waits');
  });

  it('gets nothing more until it has read, and is dropped when too much is unread', async () => {
    const test = await TestSession.subscribed();
    test.bufferedBytes = 60_000;
    test.offer(test.delivery(1));
    expect(test.publishedIds).toEqual([]);
    test.bufferedBytes = 0;
    test.session.flush();
    expect(test.publishedIds).toHaveLength(1);
    test.bufferedBytes = 100_001;
    await test.send({ cmd: 'pingreq' });
    expect(test.isDestroyed).toBe(true);
    expect(test.ends[0]?.left?.inFlight).toEqual({ 'message-000001': 1 });
  });

  it('is dropped when it has not read for half a minute', async () => {
    const test = await TestSession.subscribed();
    const tickAfter = (ms: number, bufferedBytes: number): boolean => {
      test.nowMs += ms;
      test.bufferedBytes = bufferedBytes;
      test.session.tick(test.nowMs);
      return test.isDestroyed;
    };
    expect(tickAfter(1_000, 60_000)).toBe(false);
    expect(tickAfter(29_000, 60_000)).toBe(false);
    expect(tickAfter(1_000, 40_000)).toBe(false);
    expect(tickAfter(10_000, 60_000)).toBe(false);
    expect(tickAfter(30_000, 70_000)).toBe(false);
    expect(tickAfter(1_000, 70_000)).toBe(true);
  });

  it('gets a message of any size if nothing waits before it, and is not dropped for that', async () => {
    const test = await TestSession.subscribed();
    const large = { ...test.delivery(1), payload: Buffer.from(JSON.stringify({ id: 'x'.repeat(150_000) })) };
    test.bufferedBytes = 1;
    test.offer(large);
    expect(test.publishedIds).toEqual([]);
    test.bufferedBytes = 0;
    test.session.flush();
    expect(test.publishedIds).toHaveLength(1);
    test.bufferedBytes = 150_100;
    await test.send({ cmd: 'pingreq' });
    expect(test.isDestroyed).toBe(false);
    test.bufferedBytes = 300_000;
    await test.send({ cmd: 'pingreq' });
    expect(test.isDestroyed).toBe(true);
  });
});
