import { Controller } from '@nestjs/common';
import { SendWebhookEventsJob } from '@postrider/contracts';
import { again, HandleJob, type JobContext, type JobOutcome, sendWebhookEvents } from '@postrider/queues';
import { SendWebhookEvents, WEBHOOKS_AT_ONCE } from './send-webhook-events.service';

/** Takes the `send-webhook-events` jobs. */
@Controller()
export class SendWebhookEventsProcessor {
  constructor(private readonly webhooks: SendWebhookEvents) {}

  @HandleJob(sendWebhookEvents, { concurrency: WEBHOOKS_AT_ONCE })
  async send({ appId, webhookId }: SendWebhookEventsJob, context: JobContext): Promise<JobOutcome> {
    const result = await this.webhooks.send({ appId, webhookId }, context.signal);
    return result.kind === 'later' ? again(result.delayMs) : undefined;
  }
}
