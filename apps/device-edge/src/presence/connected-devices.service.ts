import { Injectable } from '@nestjs/common';
import type { Channel } from '@postrider/domain';
import { channelsOf } from '../protocol/topics';
import type { SessionEnd } from '../session/device-session';
import type { Session } from '../session/session';
import { Connections } from '../session/session-registry';
import { Inbox } from '../inbox/inbox-reader.service';
import { Memberships } from './subscription-store.service';
import { PresenceKeeper } from './presence-writer.service';
import { Rechecks } from '../inbox/inbox-rechecks.service';

/**
 * Devices that are connected here, from CONNACK to the end of the connection. Of two connections of one device the later
 * stays (MQTT 3.1.1 §3.1.4-2, MQTT 5 §3.1.4-3).
 */
@Injectable()
export class Residents {
  constructor(
    private readonly connections: Connections,
    private readonly presence: PresenceKeeper,
    private readonly memberships: Memberships,
    private readonly inbox: Inbox,
    private readonly rechecks: Rechecks,
  ) {}

  enter(session: Session): void {
    if (this.#isOvertaken(session)) {
      session.close('taken_over');
      return;
    }
    const former = this.connections.enter(session);
    // What the former connection of the same session did not acknowledge, the later one sends again.
    if (former && session.isResumed) session.outbox.resume(former.outbox.inFlightIds());
    former?.close('taken_over');
    this.wantsInbox(session);
    this.rechecks.entered(session, performance.now());
  }

  /** Of connections that came at the very same moment the ledger says which is the later. */
  #isOvertaken({ identity }: Session): boolean {
    if (identity === null) return false;
    const other = this.connections.find(identity.appId, identity.deviceId)?.identity;
    return other !== null && other !== undefined && BigInt(other.epoch) > BigInt(identity.epoch);
  }

  leave(session: Session, { cause, inFlight, sessionEndsInMs }: SessionEnd): void {
    const { identity } = session;
    this.connections.remove(session);
    if (identity === null) return;
    const { appId, deviceId, installationId, epoch } = identity;
    if (cause !== 'taken_over') this.connections.resting.wake(appId, deviceId);
    this.presence.leave({ appId, deviceId, installationId, epoch, inFlight }, sessionEndsInMs);
  }

  /** Keeps a session that outlives its connection; ends one that does not. */
  async keep({ identity, agreement, subscriptions }: Session): Promise<void> {
    if (identity === null || agreement === null) return;
    const isKept = agreement.expirySeconds !== 0;
    const { appId, deviceId, userId } = identity;
    await this.memberships.keep({
      appId,
      deviceId,
      userId,
      subscriptions: isKept ? Object.fromEntries(subscriptions) : null,
      channels: channelsOf(subscriptions.keys(), identity),
    });
  }

  async join({ identity }: Session, channels: readonly Channel[]): Promise<void> {
    if (identity !== null && channels.length > 0) await this.memberships.join(identity, channels);
  }

  async part({ identity }: Session, channels: readonly Channel[]): Promise<void> {
    if (identity !== null && channels.length > 0) await this.memberships.leave(identity, channels);
  }

  /** The device may hear on more topics now, or has room again for what waits from a message on. */
  wantsInbox(session: Session, fromId?: string): void {
    this.connections.noteListening(session);
    this.inbox.ask(session, fromId);
  }
}
