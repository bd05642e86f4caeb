import { applyDecorators, Controller, Delete, Get, Headers, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiQuery, ApiTags } from '@nestjs/swagger';
import {
  COUNT_SCHEMA,
  type CountResponse,
  INBOX_SCHEMA,
  type InboxResponse,
  readInboxRequest,
} from '@postrider/contracts';
import type { Caller } from '../auth/caller';
import { CurrentCaller } from '../auth/current-caller.decorator';
import { RequireScope } from '../auth/route-access.decorator';
import { ApiListQuery } from '../reading/list-query.decorator';
import { Inbox, type InboxClaim } from './inbox.service';

const USER_HASH = 'x-user-hash';

/** The messages that a device keeps, for itself. */
@ApiTags('Inbox')
@RequireScope('devices')
@Controller('api/installations/:id/inbox')
export class InboxController {
  constructor(private readonly inbox: Inbox) {}

  @Get()
  @ApiOperation({ summary: "Read a device's kept messages, newest first, and how many are unread" })
  @ApiListQuery()
  @ApiUserHash()
  @ApiOkResponse({ schema: INBOX_SCHEMA })
  async read(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: unknown,
    @Headers(USER_HASH) hash: string | undefined,
  ): Promise<InboxResponse> {
    const asked = readInboxRequest(query);
    return this.inbox.read(claim(caller, id, hash, asked.userHash), asked);
  }

  @Post('read')
  @HttpCode(200)
  @ApiOperation({ summary: 'Mark all messages of the inbox as read' })
  @ApiUserHash()
  @ApiOkResponse({ schema: COUNT_SCHEMA })
  async markAllRead(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: unknown,
    @Headers(USER_HASH) hash: string | undefined,
  ): Promise<CountResponse> {
    const { userHash } = readInboxRequest(query);
    return { count: await this.inbox.markRead(claim(caller, id, hash, userHash), null) };
  }

  @Post(':messageId/read')
  @HttpCode(200)
  @ApiOperation({ summary: 'Mark a message as read' })
  @ApiUserHash()
  @ApiOkResponse({ schema: COUNT_SCHEMA })
  async markRead(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('messageId') messageId: string,
    @Query() query: unknown,
    @Headers(USER_HASH) hash: string | undefined,
  ): Promise<CountResponse> {
    const { userHash } = readInboxRequest(query);
    return { count: await this.inbox.markRead(claim(caller, id, hash, userHash), messageId) };
  }

  @Delete(':messageId')
  @ApiOperation({ summary: 'Take a message out of the inbox' })
  @ApiUserHash()
  @ApiOkResponse({ schema: COUNT_SCHEMA })
  async remove(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Param('messageId') messageId: string,
    @Query() query: unknown,
    @Headers(USER_HASH) hash: string | undefined,
  ): Promise<CountResponse> {
    const { userHash } = readInboxRequest(query);
    return { count: await this.inbox.remove(claim(caller, id, hash, userHash), messageId) };
  }
}

function claim(caller: Caller, installationId: string, header: string | undefined, query: string | null): InboxClaim {
  return { caller, installationId, userHash: header ?? query };
}

function ApiUserHash(): MethodDecorator {
  const description = 'Proves the user, where the application requires it (`userHash`)';
  return applyDecorators(
    ApiHeader({ name: 'X-User-Hash', required: false, description }),
    ApiQuery({ name: 'userHash', required: false, schema: { type: 'string' }, description }),
  );
}
