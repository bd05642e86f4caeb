import { Injectable } from '@nestjs/common';
import type { ChannelMembersRequest } from '@postrider/contracts';
import { type Channel, DEFAULT_CHANNELS, isUuid } from '@postrider/domain';
import { ChannelsRepository, type NamedMembers } from '@postrider/persistence';

/** Changes who is a member of a channel. Of the default channels everybody is, always. */
@Injectable()
export class ChannelMembers {
  constructor(private readonly channels: ChannelsRepository) {}

  /** @returns how many of the named installations are members now */
  async add(appId: string, channel: Channel, request: ChannelMembersRequest): Promise<number> {
    const members = membersOf(request);
    return DEFAULT_CHANNELS.includes(channel)
      ? this.channels.countNamed(appId, members)
      : this.channels.addMembers(appId, channel, members);
  }

  /** @returns how many of the named installations were members */
  async remove(appId: string, channel: Channel, request: ChannelMembersRequest): Promise<number> {
    if (DEFAULT_CHANNELS.includes(channel)) return 0;
    return this.channels.removeMembers(appId, channel, membersOf(request));
  }
}

function membersOf({ users = [], installations = [] }: ChannelMembersRequest): NamedMembers {
  return { users, installationIds: installations.filter(isUuid) };
}
