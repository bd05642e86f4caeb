import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiConflictResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  DeliveriesResponse,
  FallbacksResponse,
  ListDeliveriesQuery,
  ListFallbacksQuery,
  ListMessagesQuery,
  MessageResponse,
  MessagesResponse,
} from '@postrider/contracts';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { RequireScope } from '../../auth/endpoint-access.decorator';
import { CancelMessage } from './cancel-message.service';
import { ReadMessages } from './read-messages.service';

/** What was sent, and what became of it. */
@ApiTags('Reading')
@RequireScope('read')
@Controller('api/push/messages')
export class MessagesController {
  constructor(
    private readonly readMessages: ReadMessages,
    private readonly cancelMessage: CancelMessage,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List toUsers and notifyUsers sends, newest first' })
  @ApiOkResponse({ type: MessagesResponse })
  async list(@CurrentCaller() { appId }: Caller, @Query() query: ListMessagesQuery): Promise<MessagesResponse> {
    return this.readMessages.list(appId, query);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read a message and its totals' })
  @ApiOkResponse({ type: MessageResponse })
  async read(@CurrentCaller() { appId }: Caller, @Param('id') id: string): Promise<MessageResponse> {
    return this.readMessages.find(appId, id);
  }

  @Get(':id/deliveries')
  @ApiOperation({ summary: "List a message's deliveries, one for each device" })
  @ApiOkResponse({ type: DeliveriesResponse })
  async deliveries(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Query() query: ListDeliveriesQuery,
  ): Promise<DeliveriesResponse> {
    return this.readMessages.listDeliveries(appId, id, query);
  }

  @Get(':id/fallbacks')
  @ApiOperation({ summary: "List a message's fallback SMS, one for each user" })
  @ApiOkResponse({ type: FallbacksResponse })
  async fallbacks(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Query() query: ListFallbacksQuery,
  ): Promise<FallbacksResponse> {
    return this.readMessages.listFallbacks(appId, id, query);
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @RequireScope('send')
  @ApiOperation({ summary: 'Cancel a message: what is not sent yet is not sent' })
  @ApiOkResponse({ type: MessageResponse })
  @ApiConflictResponse({ description: 'the message is done' })
  async cancel(@CurrentCaller() { appId }: Caller, @Param('id') id: string): Promise<MessageResponse> {
    return this.cancelMessage.cancel(appId, id);
  }
}
