import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiConflictResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  WebhookDeliveriesQuery,
  WebhookDeliveriesResponse,
  WebhookDeliveryResponse,
  WebhookTestResponse,
} from '@postrider/contracts';
import { type Caller, CurrentCaller } from '../auth/caller';
import { RequireScope } from '../auth/endpoint-access.decorator';
import { WebhookLog } from './webhook-log.service';

/** What was sent to a webhook, and the results. */
@ApiTags('Webhooks')
@RequireScope('server')
@Controller('api/webhooks/:id')
export class WebhookLogController {
  constructor(private readonly log: WebhookLog) {}

  @Get('deliveries')
  @ApiOperation({ summary: 'List the events sent to a webhook, newest first' })
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
  @ApiOperation({ summary: 'Send an event again under the same id' })
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
  @ApiOperation({ summary: 'Send an event of the type webhook.test, also when the webhook does not subscribe to it' })
  @ApiOkResponse({ type: WebhookTestResponse })
  async test(@CurrentCaller() { appId }: Caller, @Param('id') webhookId: string): Promise<WebhookTestResponse> {
    return this.log.test({ appId, webhookId });
  }
}
