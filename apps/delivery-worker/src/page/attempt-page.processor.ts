import { Controller } from '@nestjs/common';
import { AttemptPageJob } from '@postrider/contracts';
import { PUSH_VENDORS } from '@postrider/domain';
import { again, attemptPage, HandleJob, type JobContext, type JobOutcome } from '@postrider/queues';
import { AttemptPageService } from './attempt-page.service';

const VENDOR_OF_QUEUE = new Map(PUSH_VENDORS.map((vendor) => [attemptPage[vendor].queue, vendor]));

/** Takes the `attempt-page` jobs of every vendor's queue. */
@Controller()
export class AttemptPageProcessor {
  constructor(private readonly pages: AttemptPageService) {}

  /** The job of a page that waits comes again, here or at another worker when this one stops; any other job is done. */
  @HandleJob(Object.values(attemptPage))
  async attempt(payload: AttemptPageJob, context: JobContext): Promise<JobOutcome> {
    const vendor = VENDOR_OF_QUEUE.get(context.queue);
    if (vendor === undefined) throw new Error(`Queue ${context.queue} belongs to no vendor`);
    if (context.signal.aborted) return again(0);
    const end = await this.pages.attempt(vendor, payload);
    return end?.kind === 'waits' ? again(end.delayMs) : undefined;
  }
}
