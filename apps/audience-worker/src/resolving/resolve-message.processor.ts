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
const MESSAGES_AT_ONCE = 4;

/** Turns the audience of one accepted message into pages. */
@Controller()
export class ResolveMessageProcessor {
  constructor(private readonly messages: ResolveMessageService) {}

  @HandleJob(resolveMessage, { concurrency: MESSAGES_AT_ONCE })
  async resolve(payload: ResolveMessagePayload, context: JobContext): Promise<JobOutcome> {
    const outcome = await this.messages.resolve(payload, context.signal);
    return outcome === 'interrupted' ? again(0) : undefined;
  }
}
