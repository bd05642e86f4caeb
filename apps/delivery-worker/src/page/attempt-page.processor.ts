import { Controller } from '@nestjs/common';
import { AttemptPageJob } from '@postrider/contracts';
import { PUSH_VENDORS } from '@postrider/domain';
import {
  again,
  attemptCampaignPage,
  attemptPage,
  HandleJob,
  type JobContext,
  type JobOutcome,
  pagesOfJob,
} from '@postrider/queues';
import { AttemptPageService } from './attempt-page.service';

const JOBS = [attemptPage, attemptCampaignPage];
const VENDOR_OF_QUEUE = new Map(
  PUSH_VENDORS.flatMap((vendor) => JOBS.map((ofVendors) => [ofVendors[vendor].queue, vendor])),
);

/** Takes the `attempt-page` jobs of every vendor's queues. */
@Controller()
export class AttemptPageProcessor {
  constructor(private readonly pages: AttemptPageService) {}

  /**
   * Tries the pages of one job side by side, each independently of the others. If some pages wait, the job runs again
   * when the first of them is due; it then finds nothing to do for the pages that are done. When this worker stops,
   * another worker takes the job.
   */
  @HandleJob(JOBS.flatMap((ofVendors) => Object.values(ofVendors)))
  async attempt(payload: AttemptPageJob, context: JobContext): Promise<JobOutcome> {
    const vendor = VENDOR_OF_QUEUE.get(context.queue);
    if (vendor === undefined) throw new Error(`Queue ${context.queue} belongs to no vendor`);
    if (context.signal.aborted) return again(0);
    const attempts = pagesOfJob(payload).map((page) => this.pages.attempt(vendor, page));
    const ends = await Promise.allSettled(attempts);
    // Throws a failure only after all pages have ended: until then this worker still holds the job.
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed) throw failed.reason;
    const delays = ends.flatMap((end) =>
      end.status === 'fulfilled' && end.value?.kind === 'waits' ? [end.value.delayMs] : [],
    );
    return delays.length === 0 ? undefined : again(Math.min(...delays));
  }
}
