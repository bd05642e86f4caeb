import fc from 'fast-check';
import { planRetryPages } from './retry-pages';

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
});
