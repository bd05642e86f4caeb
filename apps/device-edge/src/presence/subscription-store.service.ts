import { Inject, Injectable } from '@nestjs/common';
import type { Channel, Clock } from '@postrider/domain';
import { ChannelsRepository, ConnectionSessionsRepository, type KeptSession } from '@postrider/persistence';
import { Batcher, CLOCK } from '@postrider/platform';
import { channelsOf } from '../protocol/topics';
import type { DeviceSession, SessionIdentity } from '../session/device-session';

/** How many channels of one device are changed before it is the turn of others. */
const CHANGES_OF_A_DEVICE = 20;

interface MembershipChange {
  appId: string;
  installationId: string;
  channel: Channel;
  isJoining: boolean;
}

/** Stores what devices subscribe to: channel memberships, and the subscriptions of sessions that outlive a connection. */
@Injectable()
export class SubscriptionStore {
  readonly #changes: Batcher<MembershipChange>;
  readonly #sessions: Batcher<KeptSession>;
  /** The last save of each session; it may be under way. */
  readonly #saves = new WeakMap<DeviceSession, Promise<unknown>>();

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly channels: ChannelsRepository,
    private readonly sessions: ConnectionSessionsRepository,
  ) {
    this.#changes = new Batcher({
      work: (changes) => this.#change(changes),
      // The channels of a batch are changed one after the other: a device with thousands must not keep the others waiting.
      perKey: {
        keyOf: ({ appId, installationId }) => `${appId} ${installationId}`,
        maxItems: CHANGES_OF_A_DEVICE,
      },
    });
    this.#sessions = new Batcher({ work: (sessions) => this.#save(sessions) });
  }

  /** Makes the device a member of channels. */
  async join({ identity }: DeviceSession, channels: readonly Channel[]): Promise<void> {
    if (identity !== null) await this.#each(identity, channels, true);
  }

  /** Ends the device's membership of channels. */
  async leave({ identity }: DeviceSession, channels: readonly Channel[]): Promise<void> {
    if (identity !== null) await this.#each(identity, channels, false);
  }

  /**
   * Stores a session that outlives its connection; deletes the stored session otherwise. The session of a closed
   * connection stays as its end wrote it.
   */
  async save(session: DeviceSession): Promise<void> {
    const { identity, agreement, subscriptions } = session;
    if (identity === null || agreement === null || session.isClosed) return;
    const isKept = agreement.expirySeconds !== 0;
    const { appId, deviceId, userId } = identity;
    const saving = this.#sessions.add({
      appId,
      deviceId,
      userId,
      subscriptions: isKept ? Object.fromEntries(subscriptions) : null,
      expirySeconds: agreement.expirySeconds,
      channels: channelsOf(subscriptions.keys(), identity),
    });
    this.#saves.set(session, saving);
    await saving;
  }

  /** Resolves when no save of the closed session is under way any more. Never rejects. */
  async savesEnd(session: DeviceSession): Promise<void> {
    await Promise.allSettled([this.#saves.get(session)]);
  }

  async #each(
    { appId, installationId }: SessionIdentity,
    channels: readonly Channel[],
    isJoining: boolean,
  ): Promise<void> {
    await Promise.all(channels.map((channel) => this.#changes.add({ appId, installationId, channel, isJoining })));
  }

  /** Changes one channel after the other. Joins and leaves of a channel keep their order. */
  async #change(changes: MembershipChange[]): Promise<void> {
    for (const group of inGroups(changes)) {
      const [{ appId, channel, isJoining }] = group;
      const members = { users: [], installationIds: [...new Set(group.map(({ installationId }) => installationId))] };
      if (isJoining) await this.channels.addMembers(appId, channel, members);
      else await this.channels.removeMembers(appId, channel, members);
    }
  }

  /** When a device is in the batch twice, the last session counts. */
  async #save(sessions: KeptSession[]): Promise<void> {
    const last = new Map(sessions.map((session) => [`${session.deviceId} ${session.appId}`, session]));
    await this.sessions.save([...last.values()], this.clock.now());
  }
}

/** Groups changes that one statement can make: consecutive joins, or consecutive leaves, of one channel. */
function inGroups(changes: readonly MembershipChange[]): [MembershipChange, ...MembershipChange[]][] {
  const groups: [MembershipChange, ...MembershipChange[]][] = [];
  const open = new Map<string, [MembershipChange, ...MembershipChange[]]>();
  for (const change of changes) {
    const channel = JSON.stringify([change.appId, change.channel]);
    const group = open.get(channel);
    if (group?.[0].isJoining === change.isJoining) group.push(change);
    else {
      const fresh: [MembershipChange, ...MembershipChange[]] = [change];
      groups.push(fresh);
      open.set(channel, fresh);
    }
  }
  return groups;
}
