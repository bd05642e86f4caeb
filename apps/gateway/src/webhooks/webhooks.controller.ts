import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, UseInterceptors } from '@nestjs/common';
import {
  ApiBody,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import {
  NewSecretRequest,
  NewWebhookRequest,
  WebhookChangeRequest,
  WebhookResponse,
  WebhookSecretResponse,
  WebhooksResponse,
} from '@postrider/contracts';
import type { Caller } from '../auth/caller';
import { CurrentCaller } from '../auth/current-caller.decorator';
import { RequireScope } from '../auth/route-access.decorator';
import { CheckWebhookHost } from './check-webhook-host.interceptor';
import { Webhooks } from './webhooks.service';

const NEW_WEBHOOK = {
  orders: { value: { url: 'https://shop.example/hooks', events: ['message.done', 'delivery.failed'] } },
};
const WEBHOOK_CHANGE = { off: { summary: 'Switch it off', value: { isEnabled: false } } };
const NEW_SECRET = {
  made: { summary: 'One that is made', value: {} },
  own: { summary: 'One of your own', value: { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' } },
};

/** Where an application is told what happens in it. Its secrets pass through here, so only a `server` token opens it. */
@ApiTags('Webhooks')
@RequireScope('server')
@Controller('api/webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: Webhooks) {}

  @Post()
  @ApiOperation({ summary: 'Have events sent to an address; the secret that signs them is shown once' })
  @UseInterceptors(CheckWebhookHost)
  @ApiBody({ type: NewWebhookRequest, examples: NEW_WEBHOOK })
  @ApiCreatedResponse({ type: WebhookResponse })
  @ApiConflictResponse({ description: 'there are as many webhooks as may be' })
  async create(@CurrentCaller() { appId }: Caller, @Body() body: NewWebhookRequest): Promise<WebhookResponse> {
    return this.webhooks.create(appId, body);
  }

  @Get()
  @ApiOperation({ summary: 'List the webhooks, oldest first, with how they get on' })
  @ApiOkResponse({ type: WebhooksResponse })
  async list(@CurrentCaller() { appId }: Caller): Promise<WebhooksResponse> {
    return { webhooks: await this.webhooks.list(appId) };
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read a webhook' })
  @ApiOkResponse({ type: WebhookResponse })
  async read(@CurrentCaller() { appId }: Caller, @Param('id') id: string): Promise<WebhookResponse> {
    return this.webhooks.find(appId, id);
  }

  @Patch(':id')
  @ApiOperation({ summary: 'Change the address or the events of a webhook, switch it off or on again' })
  @UseInterceptors(CheckWebhookHost)
  @ApiBody({ type: WebhookChangeRequest, examples: WEBHOOK_CHANGE })
  @ApiOkResponse({ type: WebhookResponse })
  async change(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Body() body: WebhookChangeRequest,
  ): Promise<WebhookResponse> {
    return this.webhooks.change(appId, id, body);
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
  @ApiBody({ type: NewSecretRequest, required: false, examples: NEW_SECRET })
  @ApiOkResponse({ type: WebhookSecretResponse })
  async rotateSecret(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Body() { secret }: NewSecretRequest,
  ): Promise<WebhookSecretResponse> {
    return this.webhooks.rotateSecret(appId, id, secret);
  }
}
