import { Body, Controller, Delete, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ChannelMembersRequest, ChannelPath, CountResponse } from '@postrider/contracts';
import { type Caller, CurrentCaller } from '../auth/caller';
import { RequireScope } from '../auth/endpoint-access.decorator';
import { ChannelMembers } from './channels.service';

/** Members of channels, set by the application's backend. */
@ApiTags('Channels')
@RequireScope('server')
@Controller('api/channels')
export class ChannelMembersController {
  constructor(private readonly members: ChannelMembers) {}

  @Post(':channel/members')
  @HttpCode(200)
  @ApiOperation({ summary: 'Make installations, or all those of users, members of a channel' })
  @ApiOkResponse({ type: CountResponse })
  async add(
    @CurrentCaller() { appId }: Caller,
    @Param() { channel }: ChannelPath,
    @Body() body: ChannelMembersRequest,
  ): Promise<CountResponse> {
    return { count: await this.members.add(appId, channel, body) };
  }

  @Delete(':channel/members')
  @ApiOperation({ summary: 'Remove members from a channel' })
  @ApiOkResponse({ type: CountResponse })
  async remove(
    @CurrentCaller() { appId }: Caller,
    @Param() { channel }: ChannelPath,
    @Body() body: ChannelMembersRequest,
  ): Promise<CountResponse> {
    return { count: await this.members.remove(appId, channel, body) };
  }
}
