import { Inject, Injectable } from '@nestjs/common';
import {
  type ChannelMemberResponse,
  type ChannelResponse,
  type Listed,
  type ListChannelsRequest,
  type ListMembersRequest,
  makeCursor,
} from '@postrider/contracts';
import { type Channel, DEFAULT_CHANNELS } from '@postrider/domain';
import { countMembers, type Database, DATABASE, listChannels, listMembers } from '@postrider/persistence';

/** Reads channels: how big they are and who is in them. A channel is there as long as it has a member. */
@Injectable()
export class ListChannels {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Channels by name. The default ones, which nobody joins because everybody is a member, stand before all others. */
  async list(appId: string, { afterName, limit }: ListChannelsRequest): Promise<Listed<'channels', ChannelResponse>> {
    const found = await listChannels(this.database, appId, { afterName, limit: limit + 1 });
    const joined = found.slice(0, limit);
    const last = joined.at(-1);
    const everybody = afterName === '' ? await countMembers(this.database, appId, null) : 0;
    const defaults = afterName === '' ? DEFAULT_CHANNELS : [];
    return {
      channels: [
        ...defaults.map((channel) => ({ channel, size: everybody, isEverybody: true })),
        ...joined.map((channel) => ({ ...channel, isEverybody: false })),
      ],
      nextCursor: found.length > limit && last ? makeCursor(last.channel) : null,
    };
  }

  /** One channel; one without members has size 0. */
  async find(appId: string, channel: Channel): Promise<ChannelResponse> {
    const isEverybody = DEFAULT_CHANNELS.includes(channel);
    return { channel, size: await countMembers(this.database, appId, isEverybody ? null : channel), isEverybody };
  }

  /** A channel's members, in the order in which they registered. */
  async members(
    appId: string,
    { channel, afterDeviceId, limit }: ListMembersRequest,
  ): Promise<Listed<'members', ChannelMemberResponse>> {
    const joined = DEFAULT_CHANNELS.includes(channel) ? null : channel;
    const found = await listMembers(this.database, appId, joined, { afterDeviceId, limit: limit + 1 });
    const members = found.slice(0, limit);
    const last = members.at(-1);
    return {
      members: members.map(({ installationId, userId }) => ({ installationId, userId })),
      nextCursor: found.length > limit && last ? makeCursor(last.deviceId) : null,
    };
  }
}
