import fc from 'fast-check';
import { clockShowing } from '@postrider/testing';
import type { PageRun } from '../run/page-run';
import { planRetryPages, RetryEnqueuer } from './retry-pages';

const NOW = new Date('2026-11-21T12:00:00Z');
const ids = (): (() => string) => {
  let n = 0;
  return () => `page-${(n += 1)}`;
};
const retry = fc.record({
  deviceId: fc.nat().map(String),
  delayMs: fc.integer({ min: 0, max: 7_200_000 }),
  isUnanswered: fc.boolean(),
});

describe('retry pages', () => {
  it('hold every device once, none before its time, on few pages', () => {
    fc.assert(
      fc.property(fc.uniqueArray(retry, { selector: ({ deviceId }) => deviceId, maxLength: 500 }), (retries) => {
        const pages = planRetryPages(retries, NOW, ids());
        const planned = new Map(pages.flatMap((page) => page.deviceIds.map((id) => [id, page] as const)));
        expect(pages.flatMap(({ deviceIds }) => deviceIds)).toHaveLength(retries.length);
        for (const { deviceId, delayMs, isUnanswered } of retries) {
          const page = planned.get(deviceId);
          expect(page?.isUnanswered).toBe(isUnanswered);
          expect(page?.notBefore.getTime()).toBeGreaterThanOrEqual(NOW.getTime() + delayMs);
          expect(page?.notBefore.getTime()).toBeLessThanOrEqual(NOW.getTime() + Math.max(delayMs * 1.5, delayMs + 250));
        }
        expect(pages.length).toBeLessThanOrEqual(2 * 30);
      }),
    );
  });

  it('put what a vendor asks for at the same time on one page', () => {
    const retries = [1, 2, 3].map((n) => ({ deviceId: String(n), delayMs: 60_000 + n, isUnanswered: false }));
    expect(planRetryPages(retries, NOW, ids())).toEqual([
      { id: 'page-1', deviceIds: ['1', '2', '3'], isUnanswered: false, notBefore: new Date(NOW.getTime() + 60_003) },
    ]);
  });

  it.each([
    [[1_000, 1_500], 1],
    [[1_000, 1_501], 2],
    [[100, 350], 1],
    [[100, 351], 2],
  ])('put delays of %j ms on %i', (delays, pages) => {
    const retries = delays.map((delayMs, n) => ({ deviceId: String(n), delayMs, isUnanswered: false }));
    expect(planRetryPages(retries, NOW, ids())).toHaveLength(pages);
  });
});

describe('the jobs of retry pages', () => {
  const run = { key: { appId: 'shop', messageId: 'm' }, page: { vendor: 'fcm', lane: 'campaign' } } as PageRun;
  const pages = [-1_000, 2_000].map((ms, n) => ({
    id: `page-${n}`,
    deviceIds: ['1'],
    isUnanswered: false,
    notBefore: new Date(NOW.getTime() + ms),
  }));
  const clock = clockShowing(() => NOW);

  it('run just after their pages are due, at once if that is over', async () => {
    const enqueued: unknown[] = [];
    const jobs = { enqueue: (...job: unknown[]) => Promise.resolve(enqueued.push(job)) };
    await new RetryEnqueuer(jobs as never, clock, {} as never).enqueue(run, pages);
    const payload = { appId: 'shop', messageId: 'm', lane: 'campaign' };
    expect(enqueued).toEqual([
      [expect.anything(), [{ ...payload, pageId: 'page-0' }], { delayMs: 5 }],
      [expect.anything(), [{ ...payload, pageId: 'page-1' }], { delayMs: 2_005 }],
    ]);
  });

  it('are left to recovery, with a warning, if Redis takes none', async () => {
    const lines: unknown[] = [];
    const jobs = { enqueue: () => Promise.reject(new Error('away')) };
    const logger = { warn: (...line: unknown[]) => lines.push(line) };
    await new RetryEnqueuer(jobs as never, clock, logger as never).enqueue(run, pages);
    expect(lines).toEqual([[expect.objectContaining({ messageId: 'm', pages: 2 }), 'pages.enqueue-delayed']]);
  });
});
