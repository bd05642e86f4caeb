import { Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiOkResponse,
  ApiOperation,
  ApiResponse,
  ApiTags,
  ApiUnprocessableEntityResponse,
} from '@nestjs/swagger';
import {
  DeliveriesResponse,
  ExportDeliveriesQuery,
  FallbacksResponse,
  ListDeliveriesQuery,
  ListFallbacksQuery,
  ListMessagesQuery,
  MessageResponse,
  MessagesResponse,
} from '@postrider/contracts';
import type { FastifyReply } from 'fastify';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { RequireScope } from '../../auth/endpoint-access.decorator';
import { CurrentHeavyCaller, type HeavyCaller } from '../../heavy-reads/heavy-reads.service';
import { announceCsv } from '../../http/csv';
import { CancelMessage } from './cancel-message.service';
import { ExportDeliveries } from './export-deliveries.service';
import { ListDeliveries } from './list-deliveries.service';
import { ReadMessages } from './read-messages.service';

/** Messages and their deliveries. */
@ApiTags('Reading')
@RequireScope('read')
@Controller('api/push/messages')
export class MessagesController {
  constructor(
    private readonly readMessages: ReadMessages,
    private readonly cancelMessage: CancelMessage,
    private readonly listDeliveries: ListDeliveries,
    private readonly deliveriesExport: ExportDeliveries,
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
  @ApiUnprocessableEntityResponse({ description: 'looking for a language takes too long' })
  async deliveries(
    @CurrentHeavyCaller() caller: HeavyCaller,
    @Param('id') id: string,
    @Query() query: ListDeliveriesQuery,
  ): Promise<DeliveriesResponse> {
    return this.listDeliveries.list(caller, id, query);
  }

  @Get(':id/deliveries/export')
  @ApiOperation({ summary: "Export a message's deliveries as CSV" })
  @ApiResponse({ status: 200, content: { 'text/csv': { schema: { type: 'string' } } } })
  @ApiUnprocessableEntityResponse({ description: 'looking for a language takes too long' })
  async exportDeliveries(
    @CurrentHeavyCaller() caller: HeavyCaller,
    @Param('id') id: string,
    @Query() query: ExportDeliveriesQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const csv = await this.deliveriesExport.open(caller, id, query);
    await announceCsv(reply, 'deliveries.csv').code(200).send(csv);
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
  @ApiOperation({ summary: 'Cancel a message: it is not sent to the remaining devices' })
  @ApiOkResponse({ type: MessageResponse })
  @ApiConflictResponse({ description: 'the message is done' })
  async cancel(@CurrentCaller() { appId }: Caller, @Param('id') id: string): Promise<MessageResponse> {
    return this.cancelMessage.cancel(appId, id);
  }
}
