import { Module } from '@nestjs/common';
import { WebhookLogController } from './webhook-log.controller';
import { WebhookLog } from './webhook-log.service';
import { WebhooksController } from './webhooks.controller';
import { Webhooks } from './webhooks.service';

/** Outgoing webhooks: stored, shown and tested. The delivery worker sends to them. */
@Module({
  controllers: [WebhooksController, WebhookLogController],
  providers: [Webhooks, WebhookLog],
})
export class WebhooksModule {}
