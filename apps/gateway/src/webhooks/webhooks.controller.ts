import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import {
  ApiBody,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import {
  NEW_SECRET_SCHEMA,
  NEW_WEBHOOK_SCHEMA,
  readNewSecret,
  readNewWebhook,
  readWebhookChange,
  WEBHOOK_CHANGE_SCHEMA,
  WEBHOOK_SCHEMA,
  WEBHOOK_SECRET_SCHEMA,
  type WebhookResponse,
  WEBHOOKS_SCHEMA,
  type WebhookSecretResponse,
} from '@postrider/contracts';
import type { Caller } from '../auth/caller';
import { CurrentCaller } from '../auth/current-caller.decorator';
import { RequireScope } from '../auth/route-access.decorator';
import { Webhooks } from './webhooks.service';

/** Where an application is told what happens in it. Its secrets pass through here, so only a `server` token opens it. */
@ApiTags('Webhooks')
@RequireScope('server')
@Controller('api/webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: Webhooks) {}

  @Post()
  @ApiOperation({ summary: 'Have events sent to an address; the secret that signs them is shown once' })
  @ApiBody({ schema: NEW_WEBHOOK_SCHEMA })
  @ApiCreatedResponse({ schema: WEBHOOK_SCHEMA })
  @ApiConflictResponse({ description: 'there are as many webhooks as may be' })
  async create(@CurrentCaller() { appId }: Caller, @Body() body: unknown): Promise<WebhookResponse> {
    return this.webhooks.create(appId, readNewWebhook(body, this.webhooks.rules));
  }

  @Get()
  @ApiOperation({ summary: 'List the webhooks, oldest first, with how they get on' })
  @ApiOkResponse({ schema: WEBHOOKS_SCHEMA })
  async list(@CurrentCaller() { appId }: Caller): Promise<{ webhooks: WebhookResponse[] }> {
    return { webhooks: await this.webhooks.list(appId) };
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read a webhook' })
  @ApiOkResponse({ schema: WEBHOOK_SCHEMA })
  async read(@CurrentCaller() { appId }: Caller, @Param('id') id: string): Promise<WebhookResponse> {
    return this.webhooks.find(appId, id);
  }

  @Patch(':id')
  @ApiOperation({ summary: 'Change the address or the events of a webhook, switch it off or on again' })
  @ApiBody({ schema: WEBHOOK_CHANGE_SCHEMA })
  @ApiOkResponse({ schema: WEBHOOK_SCHEMA })
  async change(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<WebhookResponse> {
    return this.webhooks.change(appId, id, readWebhookChange(body, this.webhooks.rules));
  }

  @Delete(':id')
  @ApiOperation({ summary: 'Forget a webhook, with what it still waits for and its log' })
  @ApiOkResponse({ schema: { type: 'object', properties: { id: { type: 'string' } } } })
  async remove(@CurrentCaller() { appId }: Caller, @Param('id') id: string): Promise<{ id: string }> {
    await this.webhooks.remove(appId, id);
    return { id };
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @ApiOperation({ summary: 'Give a webhook another secret; for a day the former one signs beside it' })
  @ApiBody({ schema: NEW_SECRET_SCHEMA, required: false })
  @ApiOkResponse({ schema: WEBHOOK_SECRET_SCHEMA })
  async rotateSecret(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Body() body: unknown,
  ): Promise<WebhookSecretResponse> {
    return this.webhooks.rotateSecret(appId, id, readNewSecret(body, this.webhooks.rules));
  }
}
