import fc from 'fast-check';
import { attemptPage, type AttemptPagePayload } from '../jobs';
import { pagesOfJob, sharedPageJobs } from './shared-page-jobs';

const page: fc.Arbitrary<AttemptPagePayload> = fc.record({
  appId: fc.constantFrom('shop', 'bank'),
  messageId: fc.uuid(),
  pageId: fc.uuid(),
  lane: fc.constantFrom('transactional', 'campaign'),
});

const byName = (pages: readonly AttemptPagePayload[]): AttemptPagePayload[] =>
  pages.toSorted((one, other) => one.pageId.localeCompare(other.pageId));

describe('jobs that carry several pages', () => {
  it('carry each page once, with those of its application and lane, at most twenty', () => {
    fc.assert(
      fc.property(fc.uniqueArray(page, { maxLength: 120, selector: ({ pageId }) => pageId }), (pages) => {
        const jobs = sharedPageJobs(pages);
        expect(byName(jobs.flatMap(pagesOfJob))).toEqual(byName(pages));
        expect(Math.max(0, ...jobs.map((job) => pagesOfJob(job).length))).toBeLessThanOrEqual(20);
        const kinds = new Set(pages.map(({ appId, lane }) => `${appId} ${lane}`));
        expect(jobs.length).toBeLessThanOrEqual(kinds.size + pages.length / 20);
      }),
    );
  });

  it('have an id of what they carry, and that of the page when they carry one', () => {
    const pages = fc.sample(page, 3).map((one) => ({ ...one, appId: 'shop', lane: 'transactional' as const }));
    const [alone] = sharedPageJobs(pages.slice(0, 1)) as [AttemptPagePayload];
    expect(alone).toEqual(pages[0]);
    expect(attemptPage.fcm.id(alone)).toBe(`page-${alone.pageId}`);
    const [three] = sharedPageJobs(pages) as [AttemptPagePayload];
    const [two] = sharedPageJobs(pages.slice(0, 2)) as [AttemptPagePayload];
    const ids = [alone, two, three].map((job) => attemptPage.fcm.id(job));
    expect(new Set(ids).size).toBe(3);
    expect(attemptPage.fcm.id({ ...three })).toBe(ids[2]);
  });
});
