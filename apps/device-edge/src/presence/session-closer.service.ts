import { Inject, Injectable } from '@nestjs/common';
import {
  type ClosureReason,
  countPresence,
  DATABASE,
  type Database,
  findPresence,
  takeClosures,
} from '@postrider/persistence';
import type { CloseCause } from '../protocol/reason-codes';
import type { Session } from '../session/session';
import { Connections } from '../session/session-registry';
import { Credentials } from '../admission/access-tokens.service';
import { EDGE_ID } from './edge-id';
import { PresenceKeeper } from './presence-writer.service';

const CAUSE: Record<ClosureReason, CloseCause> = {
  taken_over: 'taken_over',
  changed_hands: 'not_owner',
  removed: 'not_owner',
};
const AT_ONCE = 1_000;

/** Closes connections that must not be any more, because of something that happened elsewhere. */
@Injectable()
export class Closing {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(EDGE_ID) private readonly edgeId: string,
    private readonly connections: Connections,
    private readonly credentials: Credentials,
    private readonly presence: PresenceKeeper,
  ) {}

  /** Connections whose device connected elsewhere, has another owner, or is gone. */
  async closeTold(): Promise<void> {
    for (const { appId, deviceId, epoch, reason } of await takeClosures(this.database, this.edgeId)) {
      const session = this.connections.find(appId, deviceId);
      if (session?.identity && BigInt(session.identity.epoch) <= BigInt(epoch)) session.close(CAUSE[reason]);
    }
  }

  /** Connections whose token was revoked. */
  async closeRevoked(): Promise<void> {
    const keys = new Set<string>();
    for (const { identity } of this.connections.entered()) if (identity) keys.add(identity.tokenKey);
    const dead = await this.credentials.findDead([...keys]);
    if (dead.size === 0) return;
    for (const session of [...this.connections.entered()]) {
      if (session.identity && dead.has(session.identity.tokenKey)) session.close('token_revoked');
    }
  }

  /**
   * Compares what everybody sees with what is. A connection that is missing there was taken over at the very same moment,
   * and is closed; or PostgreSQL lost it in a crash, and it is entered again.
   */
  async reconcile(): Promise<void> {
    if ((await countPresence(this.database, this.edgeId)) === this.connections.devices) return;
    const sessions = [...this.connections.entered()];
    for (let from = 0; from < sessions.length; from += AT_ONCE)
      await this.#reconcileSome(sessions.slice(from, from + AT_ONCE));
  }

  async #reconcileSome(sessions: readonly Session[]): Promise<void> {
    const identities = sessions.flatMap(({ identity }) => identity ?? []);
    const found = new Map(
      (await findPresence(this.database, identities)).map((one) => [`${one.deviceId} ${one.appId}`, one]),
    );
    for (const session of sessions) {
      const { identity } = session;
      if (identity === null || session.isClosed) continue;
      const present = found.get(`${identity.deviceId} ${identity.appId}`);
      if (present === undefined) await this.#enterAgain(session);
      else if (present.edgeId !== this.edgeId) session.close('taken_over');
    }
  }

  async #enterAgain(session: Session): Promise<void> {
    if (session.identity === null) return;
    const present = await this.presence.enter(session.identity);
    if (present === null) session.close('not_owner');
    else session.identity.epoch = present.epoch;
  }
}
