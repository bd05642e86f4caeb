import { Registry } from 'prom-client';
import { pino } from 'pino';
import { newId } from '../ids/ids';
import { firstSpan, firstSpanOf } from './span-place';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpsProxy } from '../config/https-proxy';
import { openTraces } from './open-traces';
import { type Collector, startCollector } from './testing/collector';
import type { Traces } from './traces';

describe('traces that a collector gets', () => {
  let collector: Collector;
  let metrics: Registry;
  let lines: Record<string, unknown>[];

  beforeEach(async () => {
    collector = await startCollector();
    metrics = new Registry();
    lines = [];
  });
  afterEach(() => collector.close());

  function open({
    endpoint = collector.url,
    share = 1,
    proxy,
  }: { endpoint?: string; share?: number; proxy?: HttpsProxy } = {}): Traces {
    const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
    const config = { otlpEndpoint: endpoint, traceShare: share, instanceId: 'one', proxy };
    return openTraces('delivery-worker', config, pino({ messageKey: 'event' }, { write }), metrics);
  }

  const events = (): unknown[] => lines.map(({ event }) => event);

  /** Work that is done again and again. */
  function work(traces: Traces, times: number): void {
    for (let time = 0; time < times; time++) {
      traces.record({ name: 'work', place: { first: firstSpan() }, startedAt: performance.now(), facts: { time } });
    }
  }

  /** Like the one in libs/testing, which itself depends on this library. */
  async function untilTrue(isTrue: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await isTrue())) await new Promise((again) => setTimeout(again, 5));
  }

  /** The collector has spans before the sender reads its answer and counts them, so the test waits for the counter. */
  const untilCounted = (line: string): Promise<void> =>
    untilTrue(async () => (await metrics.metrics()).split('\n').includes(line));

  it('go through the proxy that leads out', async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer().on('connect', ({ url }, socket) => {
      asked.push(url);
      socket.destroy();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', () => listening()));
    const proxy = new HttpsProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const traces = open({ endpoint: 'https://collector.example.test:4318', proxy });
    work(traces, 1);
    await traces.onApplicationShutdown();
    expect(asked[0]).toBe('collector.example.test:4318');
    server.close();
  });

  it('tell what was done, for how long, in which trace, and what went wrong', async () => {
    const traces = open();
    const id = newId();
    const caller = firstSpan();
    const startedAt = performance.now() - 250;
    const before = Date.now();
    traces.record({
      name: 'accept message',
      place: { first: firstSpanOf(id) },
      links: [caller],
      startedAt,
      facts: {
        application: 'shop',
        devices: 3,
        isFinished: false,
        batch: undefined,
        trackId: null,
        'http.route': '/x',
      },
    });
    traces.record({
      name: 'attempt page',
      kind: 'client',
      place: { within: firstSpanOf(id) },
      startedAt,
      facts: {},
      failure: 'UNAVAILABLE',
    });
    traces.record({ name: 'import promo set', place: { about: id }, startedAt, facts: {} });
    const after = Date.now();
    await traces.onApplicationShutdown();
    const [accepted, attempted, imported] = collector.spans;
    expect(accepted).toMatchObject({
      service: 'postrider-delivery-worker',
      name: 'accept message',
      kind: 1,
      ...firstSpanOf(id),
      parentSpanId: undefined,
      links: [caller],
      failure: undefined,
    });
    expect(accepted?.attributes).toEqual({
      'postrider.application': 'shop',
      'postrider.devices': 3,
      'postrider.isFinished': false,
      'http.route': '/x',
    });
    // It ends when it is recorded and begins when it was said to: the rounding of two clocks is a millisecond each.
    const isBetween = (low: number, moment: number, high: number): boolean => low - 2 <= moment && moment <= high + 2;
    expect(isBetween(before, accepted!.endMs, after)).toBe(true);
    expect(isBetween(before - (after - before) - 250, accepted!.startMs, before - 250)).toBe(true);
    const { traceId, spanId } = firstSpanOf(id);
    expect(attempted).toMatchObject({ kind: 3, traceId, parentSpanId: spanId, failure: 'UNAVAILABLE' });
    expect(imported).toMatchObject({ traceId, parentSpanId: undefined });
    expect(new Set([spanId, attempted?.spanId, imported?.spanId]).size).toBe(3);
    expect(collector.calls).toMatchObject([{ path: '/v1/traces', 'content-type': 'application/json' }]);
  });

  it('leave in the background and are counted once the collector has taken them', async () => {
    const traces = open();
    work(traces, 700);
    expect(collector.calls).toEqual([]);
    await untilCounted('postrider_spans_total{outcome="delivered"} 700');
    expect(collector.spans).toHaveLength(700);
    expect(lines).toEqual([]);
    await traces.onApplicationShutdown();
  });

  it('are all handed over when the process stops', async () => {
    const traces = open();
    work(traces, 3_000);
    await traces.onApplicationShutdown();
    expect(collector.spans).toHaveLength(3_000);
  });

  it('are a share of all, where a share is asked for', async () => {
    const traces = open({ share: 0.2 });
    work(traces, 2_000);
    await traces.onApplicationShutdown();
    expect(Math.abs(collector.spans.length - 400)).toBeLessThan(150);
  });

  it('are lost while a collector fails, with one warning; one line tells when it takes them again', async () => {
    collector.answers(400);
    const traces = open();
    work(traces, 1);
    await untilTrue(() => lines.length > 0);
    work(traces, 1);
    await untilCounted('postrider_spans_total{outcome="lost"} 2');
    collector.answers(200);
    work(traces, 1);
    await untilTrue(() => lines.length === 2);
    expect(events()).toEqual(['traces.not-delivered', 'traces.delivered-again']);
    expect(lines[1]).toMatchObject({ lost: 2 });
    expect(collector.spans).toHaveLength(1);
    await traces.onApplicationShutdown();
  });

  it('take bounded memory and keep nobody waiting while there is no collector, at the end too', async () => {
    const { url } = collector;
    await collector.close();
    const traces = open({ endpoint: `${url}/` });
    work(traces, 10_000);
    expect(events()).toEqual(['traces.not-delivered']);
    expect(await metrics.metrics()).toContain(`postrider_spans_total{outcome="lost"} ${10_000 - 4_096}`);
    await traces.onApplicationShutdown();
    expect(events()).toEqual(['traces.not-delivered']);
  });
});
