import { Controller } from '@nestjs/common';
import { ResolveMessageJob } from '@postrider/contracts';
import { again, HandleJob, type JobContext, type JobOutcome, resolveMessage } from '@postrider/queues';
import { ResolveMessageService } from './resolve-message.service';
import { ResolveBatch } from './resolve-batch.service';

/** Several jobs at once, so that a small audience does not wait behind a large one. */
const JOBS_AT_ONCE = 8;

/** Turns the audiences of accepted messages into pages. */
@Controller()
export class ResolveMessageProcessor {
  constructor(
    private readonly messages: ResolveMessageService,
    private readonly batches: ResolveBatch,
  ) {}

  /**
   * Reschedules its own job until the message is resolved. The job that recovery adds has the same id and is ignored.
   */
  @HandleJob(resolveMessage, { concurrency: JOBS_AT_ONCE })
  async resolve(
    { appId, messageId, further = [] }: ResolveMessageJob,
    context: Pick<JobContext, 'signal'>,
  ): Promise<JobOutcome> {
    if (further.length > 0) {
      const delayMs = await this.batches.resolve(appId, [messageId, ...further], context.signal);
      return delayMs === null ? undefined : again(delayMs);
    }
    const outcome = await this.messages.resolve({ appId, messageId }, context.signal);
    return 'delayMs' in outcome ? again(outcome.delayMs) : undefined;
  }
}
