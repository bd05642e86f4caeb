import type { Logger } from '@postrider/platform';
import type { PageEnd } from '../run/page-run';
import { SlowPages } from './slow-pages';

const FINISHED: PageEnd = { kind: 'finished' };

describe('pages of named users that take long', () => {
  let slow: SlowPages;
  let errors: string[];

  beforeEach(() => {
    jest.useFakeTimers();
    errors = [];
    const keep = (_facts: object, event: string): unknown => errors.push(event);
    slow = new SlowPages({ error: keep, warn: keep, debug: () => undefined } as unknown as Logger);
  });

  afterEach(() => jest.useRealTimers());

  /** A page that ends when the test says. */
  function page(): { end: Promise<PageEnd | null>; finish: () => void; fail: (error?: Error) => void } {
    let finish = (): void => undefined;
    let fail: (error?: Error) => void = () => undefined;
    const end = new Promise<PageEnd | null>((resolve, reject) => {
      finish = () => resolve(FINISHED);
      fail = (error = new Error('a mistake')) => reject(error);
    });
    return { end, finish, fail };
  }

  /** The end of a page that takes two seconds and must wait then. */
  async function waitLong(): Promise<PageEnd> {
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    return { kind: 'waits', delayMs: 30_000 };
  }

  /** Lets so many pages of a route become slow. */
  async function becomeSlow(count: number, route = 'fcm shop'): Promise<ReturnType<typeof page>[]> {
    const pages = Array.from({ length: count }, page);
    const jobs = pages.map(({ end }, n) => slow.endSoon(route, `${route} ${n}`, end));
    await jest.advanceTimersByTimeAsync(1_000);
    expect(new Set((await Promise.all(jobs)).map((job) => job?.kind))).toEqual(new Set(['waits']));
    return pages;
  }

  it('end with their job when they are quick', async () => {
    const { end, finish } = page();
    const job = slow.endSoon('fcm shop', '1', end);
    await jest.advanceTimersByTimeAsync(999);
    finish();
    expect(await job).toEqual(FINISHED);
    expect(slow.awayMs('fcm shop', '1')).toBe(0);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('go on without their job after a second, and their job asks again until they have ended', async () => {
    const [first] = await becomeSlow(1);
    expect(slow.awayMs('fcm shop', 'fcm shop 0')).toBe(1_000);
    first?.finish();
    await slow.allEnded();
    expect(slow.awayMs('fcm shop', 'fcm shop 0')).toBe(0);
  });

  it('are not tried again by their job when they came to their end while it was away', async () => {
    const [first, second] = await becomeSlow(2);
    first?.finish();
    await jest.advanceTimersByTimeAsync(0);
    expect(slow.wasOver('fcm shop 0')).toBe(true);
    // The end is told once: a later job of the page tries it.
    expect(slow.wasOver('fcm shop 0')).toBe(false);
    expect(slow.wasOver('fcm shop 1')).toBe(false);
    second?.finish();
  });

  it('are tried again by their job when they failed, must wait, or ended more than a minute ago', async () => {
    const [failed, old] = await becomeSlow(2);
    const waiting = slow.endSoon('fcm shop', 'waiting', waitLong());
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await waiting).toEqual({ kind: 'waits', delayMs: 1_000 });
    failed?.fail();
    old?.finish();
    await jest.advanceTimersByTimeAsync(60_001);
    expect(['fcm shop 0', 'fcm shop 1', 'waiting'].map((id) => slow.wasOver(id))).toEqual([false, false, false]);
  });

  it('take a place from no page of another application', async () => {
    await becomeSlow(256);
    expect(slow.awayMs('fcm shop', 'another')).toBeGreaterThanOrEqual(1_000);
    expect(slow.awayMs('fcm bank', 'another')).toBe(0);
  });

  it('keep the next job of their route for a moment only', async () => {
    await becomeSlow(16);
    const job = slow.endSoon('fcm shop', 'next', page().end);
    await jest.advanceTimersByTimeAsync(100);
    expect(await job).toEqual({ kind: 'waits', delayMs: 1_000 });
  });

  it('let the jobs that found no place come back one after the other', async () => {
    await becomeSlow(256);
    const delays = Array.from({ length: 5 }, (_, n) => slow.awayMs('fcm shop', `next ${n}`));
    expect(delays.map((delay) => Math.round(delay))).toEqual([1_000, 1_002, 1_004, 1_006, 1_008]);
  });

  it('make room when they end', async () => {
    const pages = await becomeSlow(256);
    pages[7]?.finish();
    await jest.advanceTimersByTimeAsync(0);
    expect(slow.awayMs('fcm shop', 'next')).toBe(0);
  });

  it('are told of when they fail without a job', async () => {
    const [first] = await becomeSlow(1);
    first?.fail();
    await slow.allEnded();
    expect(errors).toEqual(['page.failed']);
    expect(slow.awayMs('fcm shop', 'fcm shop 0')).toBe(0);
  });

  it('that fail because PostgreSQL is away are one warning a minute', async () => {
    const isStarting = Object.assign(new Error('the database system is starting up'), { code: '57P03' });
    for (const { fail } of await becomeSlow(3)) fail(isStarting);
    await slow.allEnded();
    expect(errors).toEqual(['page.postponed']);
  });

  it('fail with their job when they fail soon', async () => {
    const { end, fail } = page();
    const job = slow.endSoon('fcm shop', '1', end);
    fail();
    await expect(job).rejects.toThrow('a mistake');
    expect(errors).toEqual([]);
  });

  it('are waited for when the process stops', async () => {
    const [first] = await becomeSlow(1);
    const stopped = jest.fn();
    const stopping = slow.allEnded().then(stopped);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(stopped).not.toHaveBeenCalled();
    first?.finish();
    await stopping;
  });
});
