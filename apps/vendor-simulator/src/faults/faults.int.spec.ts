import { constants } from 'node:http2';
import { fakeTimeouts, type RawAnswer, RawHttp2Client, StreamBroken, untilTrue } from '@postrider/testing';
import type { FaultRule } from '../index';
import { useSimulator } from '../testing/use-simulator';

/** The plainest of the vendors, so that nothing but the fault is on the wire. */
describe('faults on demand', () => {
  const simulator = useSimulator();
  beforeEach(() => simulator.controls.configure({ latencyMs: 0, maxConcurrentStreams: 1_000 }));

  const set = (...rules: FaultRule[]): void => simulator.controls.setFaults(rules);
  const send = (to: string): Promise<RawAnswer> => simulator.client.post('/sms', { to, text: 'Hello' });
  const statusesOf = async (...tokens: string[]): Promise<number[]> => {
    const statuses: number[] = [];
    for (const token of tokens) statuses.push((await send(token)).status);
    return statuses;
  };
  /** Does something while the simulator's timers go only when the test says. */
  const withTimers = async (work: () => Promise<void>): Promise<void> => {
    fakeTimeouts();
    try {
      await work();
    } finally {
      jest.useRealTimers();
    }
  };
  const seen = (): number => simulator.controls.stats().sms?.accepted ?? 0;

  it('reset: takes the stream back, with the code asked for, and accepts nothing', async () => {
    set({ vendor: 'sms', fault: { kind: 'reset', code: 'REFUSED_STREAM' } });
    await expect(send('1')).rejects.toEqual(new StreamBroken(constants.NGHTTP2_REFUSED_STREAM));
    expect(seen()).toBe(0);
    expect(simulator.controls.stats().sms?.faults).toEqual({ reset: 1 });
  });

  it('reset, taken: the message is accepted though its sender cannot know', async () => {
    set({ vendor: 'sms', fault: { kind: 'reset', taken: true } });
    await expect(send('1')).rejects.toEqual(new StreamBroken(constants.NGHTTP2_INTERNAL_ERROR));
    expect(seen()).toBe(1);
  });

  it('hang: accepts and never answers', async () => {
    set({ vendor: 'sms', match: { token: '1' }, fault: { kind: 'hang' } });
    const hanging = send('1');
    // the next one on the same connection is answered, the hanging one is not
    expect((await send('2')).status).toBe(200);
    expect(simulator.controls.messages().map(({ token }) => token)).toEqual(['2', '1']);
    simulator.client.close();
    await expect(hanging).rejects.toBeInstanceOf(StreamBroken);
  });

  it('close: destroys the socket under every request on it', async () => {
    set(
      { vendor: 'sms', match: { token: '1' }, fault: { kind: 'hang' } },
      { vendor: 'sms', match: { token: '2' }, fault: { kind: 'close' } },
    );
    const results = await Promise.allSettled([send('1'), send('2')]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(simulator.client.session.destroyed || simulator.client.session.closed).toBe(true);
  });

  it('goaway: announces it on the n-th request, answers that one, and processes no later stream', async () => {
    set({ vendor: 'sms', fault: { kind: 'goaway', every: 3 } });
    expect(await statusesOf('1', '2', '3')).toEqual([200, 200, 200]);
    expect(simulator.client.goodbyes).toEqual(['{"reason":"Shutdown"}']);
    await expect(send('4')).rejects.toThrow();
    const next = new RawHttp2Client(simulator.running.origin, simulator.running.ca);
    expect((await next.post('/sms', { to: '4', text: 'Hello' })).status).toBe(200);
    next.close();
    expect(seen()).toBe(4);
  });

  it('bad_body: answers like a proxy, not like a vendor', async () => {
    set({ vendor: '*', fault: { kind: 'bad_body', http: 502 } });
    const answer = await send('1');
    expect([answer.status, answer.headers['content-type']]).toEqual([502, 'text/html']);
    expect(seen()).toBe(0);
  });

  it('slow: answers later, and other requests do not wait for it', async () => {
    set({ vendor: 'sms', match: { token: 'tortoise' }, fault: { kind: 'slow', ms: 80 } });
    await withTimers(async () => {
      const order: string[] = [];
      const answers = ['tortoise', 'hare'].map((token) => send(token).then(() => order.push(token)));
      await answers[1];
      jest.advanceTimersByTime(79);
      expect((await send('another hare')).status).toBe(200);
      expect(order).toEqual(['hare']);
      jest.advanceTimersByTime(1);
      await Promise.all(answers);
      expect(order).toEqual(['hare', 'tortoise']);
    });
  });

  it('latency: every answer takes as long as it is told to', async () => {
    simulator.controls.configure({ latencyMs: 60 });
    await withTimers(async () => {
      let answered = 0;
      const answers = ['1', '2'].map((token) => send(token).finally(() => answered++));
      // Packages that other files of tests use have timers too.
      const begun = jest.spyOn(globalThis, 'setTimeout');
      await untilTrue(() => begun.mock.calls.filter(([, ms]) => ms === 60).length === 2);
      begun.mockRestore();
      jest.advanceTimersByTime(59);
      expect(answered).toBe(0);
      jest.advanceTimersByTime(1);
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
    });
  });

  it('can be for one vendor, one token, or tokens that begin alike', async () => {
    const fault = { kind: 'status', http: 500 } as const;
    set(
      { vendor: 'fcm', fault },
      { vendor: 'sms', match: { token: '7' }, fault },
      { vendor: 'sms', match: { prefix: 'ab' }, fault },
    );
    expect(await statusesOf('7', '77', 'abc', 'cab')).toEqual([500, 200, 500, 200]);
  });

  it('can let some pass first, and strike only so often', async () => {
    set({ vendor: 'sms', match: { after: 1, times: 2 }, fault: { kind: 'status', http: 503, retryAfter: 2 } });
    expect(await statusesOf('1', '2', '3', '4', '5')).toEqual([200, 503, 503, 200, 200]);
    expect(simulator.controls.faults()).toEqual([expect.objectContaining({ matched: 5, struck: 2 })]);
  });

  it('can make each token fail once', async () => {
    set({ vendor: 'sms', match: { timesPerToken: 1 }, fault: { kind: 'status', http: 503 } });
    expect(await statusesOf('1', '2', '1', '2', '1')).toEqual([503, 503, 200, 200, 200]);
  });

  it('the first rule that strikes decides', async () => {
    set(
      { vendor: 'sms', match: { times: 1 }, fault: { kind: 'status', http: 500 } },
      { vendor: 'sms', fault: { kind: 'status', http: 503 } },
    );
    expect(await statusesOf('1', '2')).toEqual([500, 503]);
  });

  it('announces how many streams a session may have, also to sessions that stand', async () => {
    await send('1');
    expect(simulator.client.session.remoteSettings.maxConcurrentStreams).toBe(1_000);
    const changed = new Promise((resolve) => simulator.client.session.once('remoteSettings', resolve));
    simulator.controls.configure({ maxConcurrentStreams: 7 });
    await changed;
    expect(simulator.client.session.remoteSettings.maxConcurrentStreams).toBe(7);
  });

  it('counts a token that is sent the same thing twice', async () => {
    await statusesOf('1', '2', '2', '2', '3', '3');
    expect(simulator.controls.stats().sms).toMatchObject({
      accepted: 6,
      distinctTokens: 3,
      tokensSeenMoreThanOnce: 2,
      maxTimesOneToken: 3,
      uncounted: 0,
    });
    expect([...simulator.controls.tokens('sms')]).toEqual([
      ['1', 1],
      ['2', 3],
      ['3', 2],
    ]);
  });

  it('answers a body beyond all limits with 413', async () => {
    const answer = await simulator.client.post('/sms', { to: '1', text: 'x'.repeat(1_100_000) });
    expect(answer.status).toBe(413);
    expect(seen()).toBe(0);
  });
});
