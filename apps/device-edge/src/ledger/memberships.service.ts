import { Inject, Injectable } from '@nestjs/common';
import type { Channel, Clock } from '@postrider/domain';
import { ChannelsRepository, DATABASE, type Database, type KeptSession, saveSessions } from '@postrider/persistence';
import { Batcher, CLOCK } from '@postrider/platform';
import type { SessionIdentity } from '../session/services';

interface Change {
  appId: string;
  installationId: string;
  channel: Channel;
  isJoining: boolean;
}

/** Keeps what devices subscribe to: memberships of channels, and the subscriptions of sessions that outlive a connection. */
@Injectable()
export class Memberships {
  readonly #changes: Batcher<Change, undefined>;
  readonly #sessions: Batcher<KeptSession, undefined>;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly channels: ChannelsRepository,
  ) {
    this.#changes = new Batcher((changes) => this.#change(changes));
    this.#sessions = new Batcher((sessions) => this.#save(sessions));
  }

  /** The device is a member of these channels when this resolves. */
  async join(identity: SessionIdentity, channels: readonly Channel[]): Promise<void> {
    await this.#each(identity, channels, true);
  }

  async leave(identity: SessionIdentity, channels: readonly Channel[]): Promise<void> {
    await this.#each(identity, channels, false);
  }

  /** The session is kept, or ended, when this resolves. */
  async keep(session: KeptSession): Promise<void> {
    await this.#sessions.add(session);
  }

  async #each(
    { appId, installationId }: SessionIdentity,
    channels: readonly Channel[],
    isJoining: boolean,
  ): Promise<void> {
    await Promise.all(channels.map((channel) => this.#changes.add({ appId, installationId, channel, isJoining })));
  }

  /** The changes of one channel together; joins and leaves in their order. */
  async #change(changes: Change[]): Promise<undefined[]> {
    for (const group of inGroups(changes)) {
      const [{ appId, channel, isJoining }] = group;
      const members = { users: [], installationIds: [...new Set(group.map(({ installationId }) => installationId))] };
      if (isJoining) await this.channels.addMembers(appId, channel, members);
      else await this.channels.removeMembers(appId, channel, members);
    }
    return changes.map(() => undefined);
  }

  /** Of one device's sessions the last counts. */
  async #save(sessions: KeptSession[]): Promise<undefined[]> {
    const last = new Map(sessions.map((session) => [`${session.deviceId} ${session.appId}`, session]));
    await saveSessions(this.database, [...last.values()], this.clock.now());
    return sessions.map(() => undefined);
  }
}

/** Cuts changes into runs that one statement can make: the same channel, and no device twice with another wish. */
function inGroups(changes: readonly Change[]): [Change, ...Change[]][] {
  const groups: [Change, ...Change[]][] = [];
  const open = new Map<string, [Change, ...Change[]]>();
  for (const change of changes) {
    const channel = JSON.stringify([change.appId, change.channel]);
    const group = open.get(channel);
    if (group?.[0].isJoining === change.isJoining) group.push(change);
    else {
      const fresh: [Change, ...Change[]] = [change];
      groups.push(fresh);
      open.set(channel, fresh);
    }
  }
  return groups;
}
