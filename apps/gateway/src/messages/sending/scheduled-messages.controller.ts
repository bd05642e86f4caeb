import { Body, Controller, Inject, Param, Patch, type PipeTransform, Query, Req } from '@nestjs/common';
import { ApiBody, ApiConflictResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { MessageChangesQuery, MessageChangesRequest, MessageResponse } from '@postrider/contracts';
import { InvalidRequest, isJsonObject, type JsonObject } from '@postrider/domain';
import { CONFIG, type Config } from '@postrider/platform';
import type { AuthenticatedRequest } from '../../auth/caller';
import { RequireScope } from '../../auth/endpoint-access.decorator';
import { CurrentHeavyCaller, type HeavyCaller } from '../../heavy-reads/heavy-reads.service';
import { trackerBase } from '../../trackers/tracker-address';
import { ReadMessages } from '../reading/read-messages.service';
import { ChangeMessage, type ChangeRequest } from './change-message.service';

/** Leaves the body as it came: it is validated together with the message that it changes. */
class ChangesBody implements PipeTransform<unknown, JsonObject> {
  /** @throws InvalidRequest if it is no object, or an empty one */
  transform(body: unknown): JsonObject {
    if (!isJsonObject(body)) throw new InvalidRequest([{ path: '', message: 'must be a JSON object' }]);
    if (Object.keys(body).length === 0)
      throw new InvalidRequest([{ path: '', message: 'must name a field to change' }]);
    return body;
  }
}

/** Changes messages that wait for their time. */
@ApiTags('Sending')
@RequireScope('send')
@Controller('api/push')
export class ScheduledMessagesController {
  constructor(
    private readonly changeMessage: ChangeMessage,
    private readonly readMessages: ReadMessages,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Patch('messages/:id')
  @ApiOperation({ summary: 'Move or edit a scheduled message until it leaves' })
  @ApiBody({ type: MessageChangesRequest })
  @ApiOkResponse({ type: MessageResponse })
  @ApiConflictResponse({
    description:
      'the message has left, was cancelled or is not scheduled, or has another revision than the one named (`error.current` is the message now); nothing was changed',
  })
  changeAny(
    @Req() request: AuthenticatedRequest,
    @CurrentHeavyCaller() caller: HeavyCaller,
    @Param('id') messageId: string,
    @Query() { revision }: MessageChangesQuery,
    @Body(ChangesBody) changes: JsonObject,
  ): Promise<MessageResponse> {
    return this.#change({ messageId, changes, caller, kind: 'any', revision }, request);
  }

  @Patch('campaigns/:id')
  @ApiOperation({ summary: 'Move or edit a scheduled campaign until it leaves' })
  @ApiBody({ type: MessageChangesRequest })
  @ApiOkResponse({ type: MessageResponse })
  @ApiConflictResponse({
    description:
      'the campaign has left, was cancelled or is not scheduled, or has another revision than the one named (`error.current` is the campaign now); nothing was changed',
  })
  changeCampaign(
    @Req() request: AuthenticatedRequest,
    @CurrentHeavyCaller() caller: HeavyCaller,
    @Param('id') messageId: string,
    @Query() { revision }: MessageChangesQuery,
    @Body(ChangesBody) changes: JsonObject,
  ): Promise<MessageResponse> {
    return this.#change({ messageId, changes, caller, kind: 'campaign', revision }, request);
  }

  async #change(change: Omit<ChangeRequest, 'linkBase'>, request: AuthenticatedRequest): Promise<MessageResponse> {
    await this.changeMessage.change({ ...change, linkBase: trackerBase(this.config, request) });
    return this.readMessages.find(change.caller.appId, change.messageId, change.kind);
  }
}
