import { Inject, Injectable } from '@nestjs/common';
import type { ChannelMembersRequest } from '@postrider/contracts';
import { type Channel, DEFAULT_CHANNELS } from '@postrider/domain';
import {
  addChannelMembers,
  type ChannelMembers as NamedMembers,
  countNamedInstallations,
  type Database,
  DATABASE,
  inRetriedTransaction,
  removeChannelMembers,
} from '@postrider/persistence';
import { isUuid } from './installation-id';

/** Changes who is a member of a channel. Of the default channels everybody is, always. */
@Injectable()
export class ChannelMembers {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** @returns how many of the named installations are members now */
  async add(appId: string, channel: Channel, request: ChannelMembersRequest): Promise<number> {
    const members = membersOf(request);
    return inRetriedTransaction(this.database, (executor) =>
      DEFAULT_CHANNELS.includes(channel)
        ? countNamedInstallations(executor, appId, members)
        : addChannelMembers(executor, appId, channel, members),
    );
  }

  /** @returns how many of the named installations were members */
  async remove(appId: string, channel: Channel, request: ChannelMembersRequest): Promise<number> {
    if (DEFAULT_CHANNELS.includes(channel)) return 0;
    return inRetriedTransaction(this.database, (executor) =>
      removeChannelMembers(executor, appId, channel, membersOf(request)),
    );
  }
}

function membersOf({ users = [], installations = [] }: ChannelMembersRequest): NamedMembers {
  return { users, installationIds: installations.filter(isUuid) };
}
