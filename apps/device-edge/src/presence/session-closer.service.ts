import { inParts } from '@postrider/domain';
import { Inject, Injectable } from '@nestjs/common';
import { type ClosureReason, EdgesRepository, PresenceRepository } from '@postrider/persistence';
import type { CloseCause } from '../protocol/reason-codes';
import type { DeviceSession } from '../session/device-session';
import { SessionRegistry } from '../session/session-registry';
import { ConnectedDevices } from './connected-devices.service';
import { EDGE_ID } from '../runtime/edge-id';

const CAUSE: Record<ClosureReason, CloseCause> = {
  taken_over: 'taken_over',
  changed_hands: 'not_owner',
  removed: 'not_owner',
};
const AT_ONCE = 1_000;

/** Closes connections because of something that happened outside this edge. */
@Injectable()
export class SessionCloser {
  constructor(
    @Inject(EDGE_ID) private readonly edgeId: string,
    private readonly registry: SessionRegistry,
    private readonly devices: ConnectedDevices,
    private readonly edges: EdgesRepository,
    private readonly presence: PresenceRepository,
  ) {}

  /**
   * Closes connections whose device connected to another edge, has another owner, or was removed. Then it deletes the
   * rows that said so: a registration by the next owner is answered once they are deleted.
   */
  async closeReplaced(): Promise<void> {
    const closures = await this.edges.findClosures(this.edgeId);
    if (closures.length === 0) return;
    for (const closure of closures) this.registry.closeUntil(closure, CAUSE[closure.reason]);
    await this.edges.removeClosures(this.edgeId, closures);
  }

  /**
   * Compares the presence table with the connections of this edge. If a device is present on another edge, its connection
   * here is closed. If it is not present at all, PostgreSQL lost its row in a crash, and the row is written again. If a
   * connection has ended while PostgreSQL was not available, its row is deleted.
   */
  async reconcile(): Promise<void> {
    await this.devices.leaveAgain();
    if ((await this.presence.count(this.edgeId)) === this.registry.deviceCount) return;
    for (const some of inParts([...this.registry.connected()], AT_ONCE)) await this.#reconcileSome(some);
  }

  async #reconcileSome(sessions: readonly DeviceSession[]): Promise<void> {
    const identities = sessions.flatMap(({ identity }) => identity ?? []);
    const found = new Map((await this.presence.find(identities)).map((one) => [`${one.deviceId} ${one.appId}`, one]));
    const lost: DeviceSession[] = [];
    for (const session of sessions) {
      const { identity } = session;
      if (identity === null || session.isClosed) continue;
      const present = found.get(`${identity.deviceId} ${identity.appId}`);
      if (present === undefined) lost.push(session);
      else if (present.edgeId !== this.edgeId) session.close('taken_over');
    }
    await Promise.all(lost.map((session) => this.devices.enterAgain(session)));
  }
}
