import { Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CountResponse, InboxQuery, InboxResponse } from '@postrider/contracts';
import type { Caller } from '../../auth/caller';
import { CurrentCaller } from '../../auth/current-caller.decorator';
import { RequireScope } from '../../auth/route-access.decorator';
import { ApiUserHash, UserHash } from '../registration/user-hash';
import { Inbox } from './inbox.service';

/** The messages that a device keeps, for itself. */
@ApiTags('Inbox')
@RequireScope('devices', 'read')
@Controller('api/installations/:id/inbox')
export class InboxController {
  constructor(private readonly inbox: Inbox) {}

  @Get()
  @ApiOperation({ summary: "Read a device's kept messages, newest first, and how many are unread" })
  @ApiUserHash()
  @ApiOkResponse({ type: InboxResponse })
  async read(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: InboxQuery,
    @UserHash() userHash: string | null,
  ): Promise<InboxResponse> {
    return this.inbox.read({ caller, installationId: id, userHash }, query);
  }

  @Post('read')
  @HttpCode(200)
  @ApiOperation({ summary: 'Mark all messages of the inbox as read' })
  @ApiUserHash()
  @ApiOkResponse({ type: CountResponse })
  async markAllRead(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() _query: InboxQuery,
    @UserHash() userHash: string | null,
  ): Promise<CountResponse> {
    return { count: await this.inbox.markRead({ caller, installationId: id, userHash }, null) };
  }

  @Post(':messageId/read')
  @HttpCode(200)
  @ApiOperation({ summary: 'Mark a message as read' })
  @ApiUserHash()
  @ApiOkResponse({ type: CountResponse })
  async markRead(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('messageId') messageId: string,
    @Query() _query: InboxQuery,
    @UserHash() userHash: string | null,
  ): Promise<CountResponse> {
    return { count: await this.inbox.markRead({ caller, installationId: id, userHash }, messageId) };
  }

  @Delete(':messageId')
  @ApiOperation({ summary: 'Take a message out of the inbox' })
  @ApiUserHash()
  @ApiOkResponse({ type: CountResponse })
  async remove(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('messageId') messageId: string,
    @Query() _query: InboxQuery,
    @UserHash() userHash: string | null,
  ): Promise<CountResponse> {
    return { count: await this.inbox.remove({ caller, installationId: id, userHash }, messageId) };
  }
}
