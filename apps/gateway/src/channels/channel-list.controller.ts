import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  CHANNEL_SCHEMA,
  type ChannelMemberResponse,
  type ChannelResponse,
  CHANNELS_SCHEMA,
  type Listed,
  MEMBERS_SCHEMA,
  readListChannels,
  readListMembers,
} from '@postrider/contracts';
import type { Caller } from '../auth/caller';
import { CurrentCaller } from '../auth/current-caller.decorator';
import { RequireScope } from '../auth/route-access.decorator';
import { ApiListQuery } from '../reading/list-query.decorator';
import { ListChannels } from './list-channels.service';

/** The channels of an application and their sizes. A name may hold its slash, or have it as %2F: `private/alerts`. */
@ApiTags('Channels')
@RequireScope('read')
@Controller('api/channels')
export class ChannelListController {
  constructor(private readonly listChannels: ListChannels) {}

  @Get()
  @ApiOperation({ summary: 'List channels and their sizes' })
  @ApiListQuery({ most: 200, usual: 100 })
  @ApiOkResponse({ schema: CHANNELS_SCHEMA })
  async list(
    @CurrentCaller() { appId }: Caller,
    @Query() query: unknown,
  ): Promise<Listed<'channels', ChannelResponse>> {
    return this.listChannels.list(appId, readListChannels(query));
  }

  @Get(':channel')
  @ApiOperation({ summary: 'Read the size of a channel' })
  @ApiOkResponse({ schema: CHANNEL_SCHEMA })
  async read(@CurrentCaller() { appId }: Caller, @Param('channel') channel: string): Promise<ChannelResponse> {
    return this.listChannels.find(appId, readListMembers(channel, {}).channel);
  }

  @Get(':channel/members')
  @ApiOperation({ summary: 'List the members of a channel' })
  @ApiListQuery({ most: 1_000, usual: 100 })
  @ApiOkResponse({ schema: MEMBERS_SCHEMA })
  async members(
    @CurrentCaller() { appId }: Caller,
    @Param('channel') channel: string,
    @Query() query: unknown,
  ): Promise<Listed<'members', ChannelMemberResponse>> {
    return this.listChannels.members(appId, readListMembers(channel, query));
  }
}
