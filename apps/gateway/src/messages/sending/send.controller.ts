import { Body, Controller, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  NotifiedUserPath,
  PreviewRequest,
  PreviewResponse,
  type SendResponse,
  type ValidatedSend,
} from '@postrider/contracts';
import { type MessageKind, InvalidRequest } from '@postrider/domain';
import { CONFIG, type Config } from '@postrider/platform';
import type { FastifyReply } from 'fastify';
import { type AuthenticatedRequest, factsOf } from '../../auth/caller';
import { RequireScope } from '../../auth/endpoint-access.decorator';
import { heavyCallerOf } from '../../heavy-reads/heavy-reads.service';
import { nameLinkBase } from '../../trackers/tracker-address';
import { AcceptMessages } from './accept-messages.service';
import { ApiSend } from './api-send.decorator';
import { readIdempotencyKey } from './idempotency';
import { NotificationBody, type NotificationFor } from './notification-body.pipe';
import { PreviewMessages } from './preview-messages.service';
import { ByQueryBody, NotifyUsersBody, PreviewBody, type ReceivedSend, SendBody, ToUsersBody } from './send-body.pipe';
import { PreviewTexts } from './preview-texts.service';
import { warningsOf } from './send-warnings';
import type { AcceptedSend } from './write-messages.service';

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
    @SendBody(ToUsersBody) body: ReceivedSend,
  ): Promise<SendResponse> {
    return this.#send('users', body, request, reply);
  }

  @Post(['byQuery', 'byquery'])
  @HttpCode(200)
  @ApiSend('Send to a group, by segment rules or target properties', 'rules')
  byQuery(
    @Req() request: AuthenticatedRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @SendBody(ByQueryBody) body: ReceivedSend,
  ): Promise<SendResponse> {
    return this.#send('query', body, request, reply);
  }

  @Post(['notifyUsers', 'notifyToUsers'])
  @HttpCode(200)
  @ApiSend('Send by vendor push only; takes the bodies of toUsers and of byQuery', 'either')
  notifyUsers(
    @Req() request: AuthenticatedRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @SendBody(NotifyUsersBody) body: ReceivedSend,
  ): Promise<SendResponse> {
    return this.#send('notify', body, request, reply);
  }

  @Post('notifyUser/:userId')
  @HttpCode(200)
  @ApiSend("Send one notification by vendor push to a user's devices; the body is the notification", 'notification')
  notifyUser(
    @Req() request: AuthenticatedRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Param() { userId }: NotifiedUserPath,
    @Body(NotificationBody) body: NotificationFor,
  ): Promise<SendResponse> {
    return this.#send('notify', body.to(userId), request, reply);
  }

  @Post('preview')
  @HttpCode(200)
  @ApiOperation({ summary: 'Preview a message on the devices of some users; nothing is sent' })
  @ApiBody({ type: PreviewRequest })
  @ApiOkResponse({ type: PreviewResponse })
  async preview(
    @Req() request: AuthenticatedRequest,
    @SendBody(PreviewBody) message: ValidatedSend,
  ): Promise<PreviewResponse> {
    const warnings = await warningsOf({ messages: [message], body: request.body });
    return { ...(await this.previewTexts.preview(request.caller.appId, message)), ...warnings };
  }

  async #send(
    kind: MessageKind,
    received: ReceivedSend,
    request: AuthenticatedRequest,
    reply: FastifyReply,
  ): Promise<SendResponse> {
    const caller = heavyCallerOf(request, reply);
    nameLinkBase(received, this.config, request);
    const isTried = isDryRun(request.query);
    if (isTried && received.refusal) throw received.refusal;
    if (isTried) return this.previewMessages.preview(received, caller, kind);
    const idempotencyKey = await readIdempotencyKey(request.headers['idempotency-key'], kind, received.body);
    const facts = factsOf(request);
    const origin = { caller, kind, idempotencyKey, span: facts.span };
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

/**
 * True if a send is a dry run (`?dryRun=true`).
 * @throws InvalidRequest for any text that is not a boolean, or if there are two: a misspelled dry run must not send
 */
function isDryRun(query: unknown): boolean {
  const text = (query as Record<string, unknown> | null)?.dryRun;
  if (text === undefined || text === 'false' || text === '0') return false;
  if (text === 'true' || text === '1') return true;
  throw new InvalidRequest([{ path: 'dryRun', message: 'must be true or false' }]);
}
