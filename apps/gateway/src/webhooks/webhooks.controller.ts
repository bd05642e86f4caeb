import {
  Body,
  type CallHandler,
  Controller,
  Delete,
  type ExecutionContext,
  Get,
  HttpCode,
  Inject,
  Injectable,
  type NestInterceptor,
  Param,
  Patch,
  Post,
  UseInterceptors,
} from '@nestjs/common';
import {
  NewSecretRequest,
  NewWebhookRequest,
  noteProblems,
  problemsNotedOf,
  WebhookChangeRequest,
  WebhookResponse,
  WebhookSecretResponse,
  WebhooksResponse,
} from '@postrider/contracts';
import { CONFIG, type Config } from '@postrider/platform';
import { checkWebhookHost } from '@postrider/vendors';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import {
  ApiBody,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { type Caller, CurrentCaller } from '../auth/caller';
import { RequireScope } from '../auth/endpoint-access.decorator';
import { Webhooks } from './webhooks.service';

/**
 * Refuses addresses of webhooks that this deployment does not send to: private ones, or plain http. It runs before the
 * body is read as its class, which does not know the deployment, and leaves its problem for the answer that names every
 * bad field.
 */
@Injectable()
class CheckWebhookHost implements NestInterceptor {
  constructor(@Inject(CONFIG) private readonly config: Pick<Config, 'allowPrivateEndpoints'>) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { body } = context.switchToHttp().getRequest<FastifyRequest<{ Body: { url?: unknown } | undefined }>>();
    const problem = this.config.allowPrivateEndpoints ? null : problemOf(body?.url);
    if (body && problem !== null) noteProblems(body, [...problemsNotedOf(body), { path: 'url', message: problem }]);
    return next.handle();
  }
}

/** The class of the body refuses a text that is not an http address. */
function problemOf(text: unknown): string | null {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? checkWebhookHost(url) : null;
}

const NEW_WEBHOOK = {
  orders: { value: { url: 'https://shop.example/hooks', events: ['message.done', 'delivery.failed'] } },
};
const WEBHOOK_CHANGE = { off: { summary: 'Switch it off', value: { isEnabled: false } } };
const NEW_SECRET = {
  made: { summary: 'A generated secret', value: {} },
  own: { summary: 'Your own secret', value: { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' } },
};

/** An application's webhooks. Requests and answers contain their secrets, so only a `server` token may call it. */
@ApiTags('Webhooks')
@RequireScope('server')
@Controller('api/webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: Webhooks) {}

  @Post()
  @ApiOperation({ summary: 'Create a webhook; the secret that signs its events is shown once' })
  @UseInterceptors(CheckWebhookHost)
  @ApiBody({ type: NewWebhookRequest, examples: NEW_WEBHOOK })
  @ApiCreatedResponse({ type: WebhookResponse })
  @ApiConflictResponse({ description: 'the application has the maximum number of webhooks' })
  async create(@CurrentCaller() { appId }: Caller, @Body() body: NewWebhookRequest): Promise<WebhookResponse> {
    return this.webhooks.create(appId, body);
  }

  @Get()
  @ApiOperation({ summary: 'List the webhooks, oldest first, with their state' })
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
  @ApiOperation({ summary: 'Delete a webhook, its pending events and its log' })
  @ApiOkResponse({ schema: { type: 'object', properties: { id: { type: 'string' } } } })
  async remove(@CurrentCaller() { appId }: Caller, @Param('id') id: string): Promise<{ id: string }> {
    await this.webhooks.remove(appId, id);
    return { id };
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @ApiOperation({ summary: 'Rotate the secret of a webhook; the former one also signs for a day' })
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
