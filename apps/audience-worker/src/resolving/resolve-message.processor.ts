import { Controller } from '@nestjs/common';
import {
  again,
  HandleJob,
  type JobContext,
  type JobOutcome,
  resolveMessage,
  type ResolveMessagePayload,
} from '@postrider/queues';
import { ResolveMessageService } from './resolve-message.service';

/** One message is resolved by one job; several at once, so that a small audience does not wait behind a big one. */
const MESSAGES_AT_ONCE = 8;

/** Turns the audience of one accepted message into pages. */
@Controller()
export class ResolveMessageProcessor {
  constructor(private readonly messages: ResolveMessageService) {}

  /** A message that is not resolved to its end yet comes again: what the sweeper enqueues meanwhile is swallowed. */
  @HandleJob(resolveMessage, { concurrency: MESSAGES_AT_ONCE })
  async resolve(payload: ResolveMessagePayload, context: JobContext): Promise<JobOutcome> {
    const outcome = await this.messages.resolve(payload, context.signal);
    return 'delayMs' in outcome ? again(outcome.delayMs) : undefined;
  }
}
