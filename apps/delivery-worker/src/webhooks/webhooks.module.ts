import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { CONFIG, type Config } from '@postrider/platform';
import { WebhookClient } from '@postrider/vendors';
import { AttemptWebhookEvent, WEBHOOK_CLIENT } from './attempt-webhook-event.service';
import { SendWebhookEventsProcessor } from './send-webhook-events.processor';
import { CALLS_AT_ONCE, SendWebhookEvents, WEBHOOKS_AT_ONCE } from './send-webhook-events.service';
import { WebhookMetrics } from './webhook-metrics';
import { WebhookReport } from './webhook-report.service';

/** A receiver must answer within this time. */
const DEADLINE_MS = 10_000;

/** Receivers of many webhooks may share an address: each webhook has its own calls, and none waits for another's. */
const MOST_CALLS = CALLS_AT_ONCE * WEBHOOKS_AT_ONCE;

/** From an event in the outbox to the receiver's answer. Needs the platform, persistence and queues modules. */
@Module({
  controllers: [SendWebhookEventsProcessor],
  providers: [
    {
      provide: WEBHOOK_CLIENT,
      inject: [CONFIG],
      useFactory: ({ allowPrivateEndpoints, proxy }: Config) =>
        new WebhookClient({ allowPrivateEndpoints, proxy, deadlineMs: DEADLINE_MS, connectionsPerOrigin: MOST_CALLS }),
    },
    WebhookMetrics,
    WebhookReport,
    AttemptWebhookEvent,
    SendWebhookEvents,
  ],
})
export class WebhooksModule implements OnApplicationShutdown {
  constructor(@Inject(WEBHOOK_CLIENT) private readonly client: WebhookClient) {}

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }
}
