import { Controller } from '@nestjs/common';
import { SendFallbacksJob } from '@postrider/contracts';
import { again, HandleJob, type JobContext, type JobOutcome, sendFallbacks } from '@postrider/queues';
import { SMS_CONNECTIONS } from '@postrider/vendors';
import { SendFallbacks } from './send-fallbacks.service';

/**
 * The number of messages whose fallbacks one worker handles at a time. Most messages have one SMS to send, so it takes
 * as many as an application has calls, to use them all, and as many again, which may belong to other applications.
 */
const MESSAGES_AT_ONCE = 2 * SMS_CONNECTIONS;

/** Takes the `send-fallbacks` jobs. */
@Controller()
export class SendFallbacksProcessor {
  constructor(private readonly fallbacks: SendFallbacks) {}

  @HandleJob(sendFallbacks, { concurrency: MESSAGES_AT_ONCE })
  async send({ appId, messageId }: SendFallbacksJob, context: JobContext): Promise<JobOutcome> {
    const result = await this.fallbacks.send({ appId, messageId }, context.signal);
    return result.kind === 'later' ? again(result.delayMs) : undefined;
  }
}
