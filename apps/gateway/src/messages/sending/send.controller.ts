import { Body, Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { PreviewRequest, PreviewResponse, type SendRequest, type SendResponse } from '@postrider/contracts';
import type { MessageKind } from '@postrider/domain';
import { CONFIG, type Config } from '@postrider/platform';
import type { FastifyReply } from 'fastify';
import type { AuthenticatedRequest } from '../../auth/current-caller.decorator';
import { RequireScope } from '../../auth/route-access.decorator';
import { factsOf } from '../../auth/request-facts';
import { heavyCallerOf } from '../../heavy-reads/heavy-caller';
import { nameLinkBase } from '../../trackers/name-link-base';
import { AcceptMessages, type AcceptedSend } from './accept-messages.service';
import { ApiSend } from './api-send.decorator';
import { readIdempotencyKey } from './idempotency-key';
import { isDryRun } from './is-dry-run';
import { PreviewMessages } from './preview-messages.service';
import { PreviewBody } from './preview-body.pipe';
import { PreviewTexts } from './preview-texts.service';
import { ByQueryBody, NotifyUsersBody, type ReceivedSend, ToUsersBody } from './send-body.pipe';

/** The sending endpoints. */
@ApiTags('Sending')
@RequireScope('send')
@Controller('api/push')
export class SendController {
  constructor(
    private readonly acceptMessages: AcceptMessages,
    private readonly previewMessages: PreviewMessages,
    @Inject(CONFIG) private readonly config: Config,
    private readonly previewTexts: PreviewTexts,
  ) {}

  @Post('toUsers')
  @HttpCode(200)
  @ApiSend('Send to one or several named users, or with user "*" to everybody on the channel', 'named')
  toUsers(
    @Req() request: AuthenticatedRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body(ToUsersBody) body: ReceivedSend,
  ): Promise<SendResponse> {
    return this.#send('users', body, request, reply);
  }

  @Post(['byQuery', 'byquery'])
  @HttpCode(200)
  @ApiSend('Send to a group, by segment rules or target properties', 'rules')
  byQuery(
    @Req() request: AuthenticatedRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body(ByQueryBody) body: ReceivedSend,
  ): Promise<SendResponse> {
    return this.#send('query', body, request, reply);
  }

  @Post('notifyUsers')
  @HttpCode(200)
  @ApiSend('Send by vendor push only; takes the bodies of toUsers and of byQuery', 'either')
  notifyUsers(
    @Req() request: AuthenticatedRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body(NotifyUsersBody) body: ReceivedSend,
  ): Promise<SendResponse> {
    return this.#send('notify', body, request, reply);
  }

  @Post('preview')
  @HttpCode(200)
  @ApiOperation({ summary: 'Show a message as it would be on the devices of some users; sends nothing' })
  @ApiBody({ type: PreviewRequest })
  @ApiOkResponse({ type: PreviewResponse })
  preview(@Req() request: AuthenticatedRequest, @Body(PreviewBody) body: SendRequest): Promise<PreviewResponse> {
    return this.previewTexts.preview(request.caller.appId, body);
  }

  async #send(
    kind: MessageKind,
    received: ReceivedSend,
    request: AuthenticatedRequest,
    reply: FastifyReply,
  ): Promise<SendResponse> {
    const caller = heavyCallerOf(request, reply);
    nameLinkBase(received, this.config, request);
    if (isDryRun(request.query)) return this.previewMessages.preview(received, caller, kind);
    const idempotencyKey = await readIdempotencyKey(request.headers['idempotency-key'], kind, received.body);
    const facts = factsOf(request);
    const origin = { ...caller, kind, idempotencyKey, span: facts.span };
    const { answer, isReplay } = await this.acceptMessages.accept(received, origin);
    facts.messageIds = answer.messageIds;
    nameMessages(reply, answer);
    if (isReplay) void reply.header('idempotent-replayed', 'true');
    return { count: answer.count };
  }
}

function nameMessages(reply: FastifyReply, { messageIds, batchId }: AcceptedSend): void {
  void reply.header('x-message-id', messageIds.join(','));
  if (batchId !== undefined) void reply.header('x-batch-id', batchId);
}
