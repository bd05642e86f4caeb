import { Controller } from '@nestjs/common';
import {
  again,
  HandleJob,
  type JobContext,
  type JobOutcome,
  sendFallbacks,
  type SendFallbacksPayload,
} from '@postrider/queues';
import { SendFallbacks } from './send-fallbacks.service';

/** Messages whose fallbacks one worker sees to at a time. */
const MESSAGES_AT_ONCE = 8;

/** Takes the `send-fallbacks` jobs. */
@Controller()
export class SendFallbacksProcessor {
  constructor(private readonly fallbacks: SendFallbacks) {}

  @HandleJob(sendFallbacks, { concurrency: MESSAGES_AT_ONCE })
  async send({ appId, messageId }: SendFallbacksPayload, context: JobContext): Promise<JobOutcome> {
    const turn = await this.fallbacks.send({ appId, messageId }, context.signal);
    return turn.kind === 'later' ? again(turn.delayMs) : undefined;
  }
}
