import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiConflictResponse, ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import {
  DELIVERIES_SCHEMA,
  type DeliveryResponse,
  type FallbackResponse,
  FALLBACKS_SCHEMA,
  type Listed,
  MESSAGE_SCHEMA,
  type MessageResponse,
  MESSAGES_SCHEMA,
  type MessageSummaryResponse,
  readListDeliveries,
  readListFallbacks,
  readListMessages,
} from '@postrider/contracts';
import { DELIVERY_STATES, FALLBACK_STATES } from '@postrider/domain';
import type { Caller } from '../auth/caller';
import { CurrentCaller } from '../auth/current-caller.decorator';
import { RequireScope } from '../auth/route-access.decorator';
import { CancelMessage } from './cancel-message.service';
import { ApiListQuery } from './list-query.decorator';
import { ReadMessages } from './read-messages.service';

/** What was sent, and what became of it (operations, Reading what was sent). */
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
  @ApiListQuery({ most: 200, usual: 50 }, 'trackId', 'clientId', 'userId', 'batchId')
  @ApiOkResponse({ schema: MESSAGES_SCHEMA })
  async list(
    @CurrentCaller() { appId }: Caller,
    @Query() query: unknown,
  ): Promise<Listed<'messages', MessageSummaryResponse>> {
    return this.readMessages.list(appId, readListMessages(query));
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read a message and its totals' })
  @ApiOkResponse({ schema: MESSAGE_SCHEMA })
  async read(@CurrentCaller() { appId }: Caller, @Param('id') id: string): Promise<MessageResponse> {
    return this.readMessages.find(appId, id);
  }

  @Get(':id/deliveries')
  @ApiOperation({ summary: "List a message's deliveries, one a device" })
  @ApiQuery({ name: 'state', required: false, enum: DELIVERY_STATES })
  @ApiListQuery({ most: 1_000, usual: 100 })
  @ApiOkResponse({ schema: DELIVERIES_SCHEMA })
  async deliveries(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Query() query: unknown,
  ): Promise<Listed<'deliveries', DeliveryResponse>> {
    return this.readMessages.listDeliveries(appId, id, readListDeliveries(query));
  }

  @Get(':id/fallbacks')
  @ApiOperation({ summary: "List a message's fallback SMS, one a user" })
  @ApiQuery({ name: 'state', required: false, enum: FALLBACK_STATES })
  @ApiListQuery({ most: 1_000, usual: 100 })
  @ApiOkResponse({ schema: FALLBACKS_SCHEMA })
  async fallbacks(
    @CurrentCaller() { appId }: Caller,
    @Param('id') id: string,
    @Query() query: unknown,
  ): Promise<Listed<'fallbacks', FallbackResponse>> {
    return this.readMessages.listFallbacks(appId, id, readListFallbacks(query));
  }

  @Post(':id/cancel')
  @HttpCode(200)
  @RequireScope('send')
  @ApiOperation({ summary: 'Stop what is not sent yet' })
  @ApiOkResponse({ schema: MESSAGE_SCHEMA })
  @ApiConflictResponse({ description: 'the message is done' })
  async cancel(@CurrentCaller() { appId }: Caller, @Param('id') id: string): Promise<MessageResponse> {
    return this.cancelMessage.cancel(appId, id);
  }
}
