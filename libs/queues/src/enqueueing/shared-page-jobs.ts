import type { AttemptPagePayload } from '../jobs';

/**
 * The most pages of one job: with more, one slow page would hold up the job, and a worker that dies would leave more
 * behind.
 */
const MOST_PAGES = 20;

/** Jobs for small pages that are due now. One job carries several pages of the same application and lane. */
export function sharedPageJobs(pages: readonly AttemptPagePayload[]): AttemptPagePayload[] {
  const jobs: AttemptPagePayload[] = [];
  const open = new Map<string, { job: AttemptPagePayload; further: string[] }>();
  for (const { appId, messageId, pageId, lane } of pages) {
    const name = `${lane} ${appId}`;
    const last = open.get(name);
    if (last !== undefined && last.further.length + 1 < MOST_PAGES) {
      last.further.push(`${messageId} ${pageId}`);
      last.job.further = last.further;
      continue;
    }
    const job: AttemptPagePayload = { appId, messageId, pageId, lane };
    open.set(name, { job, further: [] });
    jobs.push(job);
  }
  return jobs;
}

/** Returns every page that a job carries. */
export function pagesOfJob({ appId, messageId, pageId, lane, further = [] }: AttemptPagePayload): AttemptPagePayload[] {
  const others = further.map((page) => {
    const [ofMessage = '', id = ''] = page.split(' ');
    return { appId, messageId: ofMessage, pageId: id, lane };
  });
  return [{ appId, messageId, pageId, lane }, ...others];
}
