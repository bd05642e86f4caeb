import { Module } from '@nestjs/common';
import { WebhookLogController } from './webhook-log.controller';
import { WebhookLog } from './webhook-log.service';
import { WebhooksController } from './webhooks.controller';
import { Webhooks } from './webhooks.service';

/** Outgoing webhooks: kept, shown and tried. The delivery worker sends to them. */
@Module({
  controllers: [WebhooksController, WebhookLogController],
  providers: [Webhooks, WebhookLog],
})
export class WebhooksModule {}
