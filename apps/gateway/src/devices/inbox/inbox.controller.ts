import { applyDecorators, Controller, Delete, Get, HttpCode, Param, Post, Query, type Type } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CountResponse, InboxQuery, InboxResponse } from '@postrider/contracts';
import { type Caller, CurrentCaller } from '../../auth/caller';
import { RequireScope } from '../../auth/endpoint-access.decorator';
import { ApiUserHash, UserHash } from '../registration/user-hash.decorator';
import { Inbox } from './inbox.service';

/** The inbox of a device, for its app. */
@ApiTags('Inbox')
@RequireScope('devices', 'read')
@Controller('api/installations/:id/inbox')
export class InboxController {
  constructor(private readonly inbox: Inbox) {}

  @Get()
  @ApiInbox("Read the messages of a device's inbox, newest first, and the number of unread ones", InboxResponse)
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
  @ApiInbox('Mark all messages of the inbox as read', CountResponse)
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
  @ApiInbox('Mark a message as read', CountResponse)
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
  @ApiInbox('Remove a message from the inbox', CountResponse)
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

/** Documents an operation of the inbox: the user's hash proves whose device it is. */
function ApiInbox(summary: string, answer: Type): MethodDecorator {
  return applyDecorators(ApiOperation({ summary }), ApiUserHash(), ApiOkResponse({ type: answer }));
}
