import { Body, Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CHANNEL_MEMBERS_SCHEMA, COUNT_SCHEMA, type CountResponse, readChannelMembers } from '@postrider/contracts';
import type { Caller } from '../auth/caller';
import { CurrentCaller } from '../auth/current-caller.decorator';
import { RequireScope } from '../auth/route-access.decorator';
import { ChannelMembers } from './channel-members.service';

/** Members of channels, as the application's backend sets them (device-protocol, Registration). */
@ApiTags('Channels')
@RequireScope('server')
@Controller('api/channels')
export class ChannelsController {
  constructor(private readonly members: ChannelMembers) {}

  @Post(':channel/members')
  @HttpCode(200)
  @ApiOperation({ summary: 'Make installations, or all those of users, members of a channel' })
  @ApiBody({ schema: CHANNEL_MEMBERS_SCHEMA })
  @ApiOkResponse({ schema: COUNT_SCHEMA })
  async add(
    @CurrentCaller() { appId }: Caller,
    @Param('channel') channel: string,
    @Body() body: unknown,
  ): Promise<CountResponse> {
    return { count: await this.members.add(appId, readChannelMembers(channel, body)) };
  }

  @Delete(':channel/members')
  @ApiOperation({ summary: 'End memberships of a channel' })
  @ApiBody({ schema: CHANNEL_MEMBERS_SCHEMA })
  @ApiOkResponse({ schema: COUNT_SCHEMA })
  async remove(
    @CurrentCaller() { appId }: Caller,
    @Param('channel') channel: string,
    @Body() body: unknown,
  ): Promise<CountResponse> {
    return { count: await this.members.remove(appId, readChannelMembers(channel, body)) };
  }
}
