import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ChannelListResponse,
  ChannelMemberListResponse,
  ChannelPath,
  ChannelResponse,
  ListChannelMembersQuery,
  ListChannelsQuery,
} from '@postrider/contracts';
import { type Caller, CurrentCaller } from '../auth/caller';
import { RequireScope } from '../auth/endpoint-access.decorator';
import { ListChannels } from './channels.service';

/**
 * The channels of an application and their sizes. The slash of a name may be written plainly or as %2F:
 * `private/alerts`.
 */
@ApiTags('Channels')
@RequireScope('read')
@Controller('api/channels')
export class ChannelListController {
  constructor(private readonly listChannels: ListChannels) {}

  @Get()
  @ApiOperation({ summary: 'List channels and their sizes' })
  @ApiOkResponse({ type: ChannelListResponse })
  async list(@CurrentCaller() { appId }: Caller, @Query() query: ListChannelsQuery): Promise<ChannelListResponse> {
    return this.listChannels.list(appId, query);
  }

  @Get(':channel')
  @ApiOperation({ summary: 'Read the size of a channel' })
  @ApiOkResponse({ type: ChannelResponse })
  async read(@CurrentCaller() { appId }: Caller, @Param() { channel }: ChannelPath): Promise<ChannelResponse> {
    return this.listChannels.find(appId, channel);
  }

  @Get(':channel/members')
  @ApiOperation({ summary: 'List the members of a channel' })
  @ApiOkResponse({ type: ChannelMemberListResponse })
  async members(
    @CurrentCaller() { appId }: Caller,
    @Param() { channel }: ChannelPath,
    @Query() query: ListChannelMembersQuery,
  ): Promise<ChannelMemberListResponse> {
    return this.listChannels.members(appId, channel, query);
  }
}
