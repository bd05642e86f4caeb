import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiConflictResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  WebhookDeliveriesQuery,
  WebhookDeliveriesResponse,
  WebhookDeliveryResponse,
  WebhookTestResponse,
} from '@postrider/contracts';
import type { Caller } from '../auth/caller';
import { CurrentCaller } from '../auth/current-caller.decorator';
import { RequireScope } from '../auth/route-access.decorator';
import { WebhookLog } from './webhook-log.service';

/** What was sent to a webhook, and what came of it. */
@ApiTags('Webhooks')
@RequireScope('server')
@Controller('api/webhooks/:id')
export class WebhookLogController {
  constructor(private readonly log: WebhookLog) {}

  @Get('deliveries')
  @ApiOperation({ summary: 'Read what was sent to a webhook, newest first' })
  @ApiOkResponse({ type: WebhookDeliveriesResponse })
  async list(
    @CurrentCaller() { appId }: Caller,
    @Param('id') webhookId: string,
    @Query() query: WebhookDeliveriesQuery,
  ): Promise<WebhookDeliveriesResponse> {
    return this.log.list({ appId, webhookId }, query);
  }

  @Post('deliveries/:eventId/redeliver')
  @HttpCode(200)
  @ApiOperation({ summary: 'Send an event again, under its old id' })
  @ApiOkResponse({ type: WebhookDeliveryResponse })
  @ApiConflictResponse({ description: 'the event is being sent at this moment' })
  async redeliver(
    @CurrentCaller() { appId }: Caller,
    @Param('id') webhookId: string,
    @Param('eventId') eventId: string,
  ): Promise<WebhookDeliveryResponse> {
    return this.log.redeliver({ appId, webhookId }, eventId);
  }

  @Post('test')
  @HttpCode(200)
  @ApiOperation({ summary: 'Send an event of the type webhook.test, whatever the webhook asks for' })
  @ApiOkResponse({ type: WebhookTestResponse })
  async test(@CurrentCaller() { appId }: Caller, @Param('id') webhookId: string): Promise<WebhookTestResponse> {
    return this.log.test({ appId, webhookId });
  }
}
