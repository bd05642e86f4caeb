import { Injectable } from '@nestjs/common';
import { WaitingReader } from '../waiting/waiting-reader.service';
import { WaitingRechecks } from '../waiting/waiting-rechecks.service';
import { EdgeMetrics } from '../runtime/edge-metrics';
import type { CloseCause } from '../protocol/reason-codes';
import { type DeviceSession, leftBehind, type SessionEnd } from '../session/device-session';
import { SessionRegistry } from '../session/session-registry';
import { PresenceWriter } from './presence-writer.service';
import { SubscriptionStore } from './subscription-store.service';

/**
 * The devices that are connected to this edge, from CONNACK to the end of the connection. If a device connects twice,
 * the later connection stays (MQTT 3.1.1 §3.1.4-2, MQTT 5 §3.1.4-3).
 */
@Injectable()
export class ConnectedDevices {
  constructor(
    private readonly registry: SessionRegistry,
    private readonly presence: PresenceWriter,
    private readonly subscriptions: SubscriptionStore,
    private readonly reader: WaitingReader,
    private readonly rechecks: WaitingRechecks,
    private readonly metrics: EdgeMetrics,
  ) {}

  /** The CONNACK is written: closes an earlier connection of the device, and reads what waits for it. */
  opened(session: DeviceSession): void {
    const cause = this.#causeToClose(session);
    if (cause !== undefined) {
      session.close(cause);
      return;
    }
    const former = this.registry.setConnected(session);
    if (session.isResumed) this.#resume(session, former);
    former?.close('taken_over');
    this.requestWaiting(session);
    this.rechecks.schedule(session, performance.now());
  }

  /**
   * A resumed session repeats what its former connection did not acknowledge, and knows what that accepted. PostgreSQL has
   * neither if that connection is open, or has ended while this one was admitted.
   */
  #resume({ identity, outbox, unreleased }: DeviceSession, former: DeviceSession | undefined): void {
    const left = former
      ? { inFlight: former.outbox.inFlightIds(), unreleased: former.unreleased.left() }
      : identity && this.presence.leftSince(identity.appId, identity.installationId);
    if (!left) return;
    outbox.resume(left.inFlight);
    unreleased.resume(left.unreleased);
  }

  /**
   * Two connections may open at the same moment: PostgreSQL's epoch tells which is the later. And a device may get
   * another owner while it connects.
   */
  #causeToClose({ identity }: DeviceSession): CloseCause | undefined {
    if (identity === null) return undefined;
    const other = this.registry.find(identity.appId, identity.deviceId)?.identity;
    const isOvertaken = other !== null && other !== undefined && BigInt(other.epoch) > BigInt(identity.epoch);
    return isOvertaken ? 'taken_over' : this.registry.causeToClose(identity);
  }

  /** PostgreSQL has lost the presence of a device: it becomes present again, unless it is somebody else's by now. */
  async enterAgain(session: DeviceSession): Promise<void> {
    const { identity } = session;
    if (identity === null) return;
    const present = await this.presence.enter(identity);
    if (present === null) {
      session.close('not_owner');
      return;
    }
    identity.epoch = present.epoch;
    if (session.isClosed) {
      // It ended in between, with its former epoch: the new row would stay.
      const { appId, deviceId, installationId, epoch } = identity;
      this.presence.leave({ appId, deviceId, installationId, epoch }, leftBehind(session), Promise.resolve());
      return;
    }
    // The session of a device that counted as gone may have begun to run out.
    if (session.agreement?.expirySeconds) await this.subscriptions.save(session);
  }

  /** Writes departures that PostgreSQL could not take. @throws the error of the first one that still cannot be written */
  leaveAgain(): Promise<void> {
    return this.presence.leaveAgain();
  }

  /** The connection is closed: the device is not present any more, unless a later connection replaced it. */
  ended(session: DeviceSession, { cause, left }: SessionEnd): void {
    this.metrics.countEnd(cause);
    const { identity } = session;
    this.registry.remove(session);
    if (identity === null) return;
    const { appId, deviceId, installationId, epoch } = identity;
    if (cause !== 'taken_over') this.registry.lingering.endOf(appId, deviceId);
    const saved = this.subscriptions.savesEnd(session);
    this.presence.leave({ appId, deviceId, installationId, epoch }, left, saved);
  }

  /**
   * Reads what waits for a device that subscribed to more topics, or whose outbox has room again. Does nothing if it has
   * disconnected since.
   *
   * @param fromId the first message to read; without it, all of it
   */
  requestWaiting(session: DeviceSession, fromId?: string): void {
    if (session.isClosed) return;
    this.registry.updateEventSubscriber(session);
    this.reader.request(session, fromId);
  }

  /**
   * Checks the time limits of every connection, and reads what waits for devices that are due. Call it about once a
   * second.
   */
  tick(nowMs: number): void {
    for (const session of this.registry.all()) session.tick(nowMs);
    this.registry.lingering.tick(nowMs);
    this.rechecks.tick(nowMs);
    this.reader.requestAll();
  }
}
