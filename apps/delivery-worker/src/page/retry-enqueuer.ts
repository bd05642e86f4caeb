import type { Clock } from '@postrider/domain';
import type { RetryPage } from '@postrider/persistence';
import type { Logger } from '@postrider/platform';
import { attemptPage, type JobsClient } from '@postrider/queues';
import type { PageRun } from './page-run';

/** A page's job comes this much after the page is due, never before. */
export const AFTER_DUE_MS = 5;

/** Enqueues the retry pages of a run, each for when it is due. Never rejects: what Redis does not take, the sweeper brings. */
export class RetryEnqueuer {
  constructor(
    private readonly jobs: JobsClient,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  async enqueue({ key: { appId, messageId }, page: { vendor, lane } }: PageRun, retries: RetryPage[]): Promise<void> {
    const now = this.clock.now().getTime();
    try {
      for (const { id, notBefore } of retries) {
        const delayMs = Math.max(0, notBefore.getTime() - now) + AFTER_DUE_MS;
        await this.jobs.enqueue(attemptPage[vendor], [{ appId, messageId, pageId: id, lane }], { delayMs });
      }
    } catch (error) {
      this.logger.warn({ appId, messageId, pages: retries.length, err: error }, 'pages.enqueue-delayed');
    }
  }
}
