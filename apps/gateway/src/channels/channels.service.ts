import { Inject, Injectable } from '@nestjs/common';
import {
  type ChannelListResponse,
  type ChannelMemberListResponse,
  type ChannelMembersRequest,
  type ChannelResponse,
  cutList,
  type ListChannelMembersQuery,
  type ListChannelsQuery,
  makeCursor,
} from '@postrider/contracts';
import { NO_DEVICE, type Channel, type Clock, DEFAULT_CHANNELS, isUuid } from '@postrider/domain';
import { type ChannelSize, ChannelsRepository, type NamedMembers } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { SlowValueCache } from '../heavy-reads/slow-value-cache';

/** How long a caller waits for newer sizes of the channels of an application with very many devices. */
const PATIENCE_MS = 120;

/** Reads channels: their sizes and members. A channel exists while it has a member. */
@Injectable()
export class ListChannels {
  readonly #sizes: SlowValueCache<ChannelSize[]>;
  readonly #everybody: SlowValueCache<number>;

  constructor(
    private readonly channels: ChannelsRepository,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.#sizes = new SlowValueCache(clock, PATIENCE_MS);
    this.#everybody = new SlowValueCache(clock, PATIENCE_MS);
  }

  /**
   * Lists channels by name. The default ones, of which everybody is a member, come first. If there are so many devices
   * that counting takes long, sizes may be some seconds old.
   */
  async list(appId: string, { cursor: afterName = '', limit }: ListChannelsQuery): Promise<ChannelListResponse> {
    const place = { afterName, limit: limit + 1 };
    const found = await this.#sizes.get(`${appId} ${limit} ${afterName}`, '', () => this.channels.list(appId, place));
    const { entries: joined, nextCursor } = cutList(found, limit, ({ channel }) => makeCursor(channel));
    const everybody = afterName === '' ? await this.#countEverybody(appId) : 0;
    const defaults = afterName === '' ? DEFAULT_CHANNELS : [];
    return {
      channels: [
        ...defaults.map((channel) => ({ channel, size: everybody, isEverybody: true })),
        ...joined.map((channel) => ({ ...channel, isEverybody: false })),
      ],
      nextCursor,
    };
  }

  /** Finds one channel. A channel without members has size 0. */
  async find(appId: string, channel: Channel): Promise<ChannelResponse> {
    const isEverybody = DEFAULT_CHANNELS.includes(channel);
    return { channel, size: await this.channels.countMembers(appId, isEverybody ? null : channel), isEverybody };
  }

  #countEverybody(appId: string): Promise<number> {
    return this.#everybody.get(appId, '', () => this.channels.countMembers(appId, null));
  }

  /** A channel's members, in the order in which they registered. */
  async members(
    appId: string,
    channel: Channel,
    { cursor: afterDeviceId = NO_DEVICE, limit }: ListChannelMembersQuery,
  ): Promise<ChannelMemberListResponse> {
    const joined = DEFAULT_CHANNELS.includes(channel) ? null : channel;
    const found = await this.channels.listMembers(appId, joined, { afterDeviceId, limit: limit + 1 });
    const { entries, nextCursor } = cutList(found, limit, ({ deviceId }) => makeCursor(deviceId));
    return { members: entries.map(({ installationId, userId }) => ({ installationId, userId })), nextCursor };
  }
}

/** Changes the members of a channel. Everybody is always a member of the default channels. */
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
