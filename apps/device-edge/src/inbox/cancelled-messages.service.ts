import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, type Database, findCancelledMessages, type MessageKey } from '@postrider/persistence';
import type { Session } from '../session/session';
import { Connections } from '../session/session-registry';

/** Messages that one statement asks for. */
const AT_ONCE = 5_000;

/**
 * Takes back what was cancelled while it waited in the memory of this edge, behind a full window or a slow socket. (What expires is
 * seen when it would go out; a device that changes hands loses its connection.)
 */
@Injectable()
export class Withdrawals {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly connections: Connections,
  ) {}

  /** To be called about once a second. Asks nothing when nothing waits. */
  async takeBack(): Promise<void> {
    const { sessions, messages } = this.#waiting();
    for (let from = 0; from < messages.length; from += AT_ONCE) {
      const cancelled = await findCancelledMessages(this.database, messages.slice(from, from + AT_ONCE));
      if (cancelled.length > 0) drop(sessions, cancelled);
    }
  }

  #waiting(): { sessions: Session[]; messages: MessageKey[] } {
    const sessions: Session[] = [];
    const messages = new Map<string, MessageKey>();
    for (const session of this.connections.entered()) {
      if (session.outbox.waiting === 0 || session.identity === null) continue;
      sessions.push(session);
      const { appId } = session.identity;
      for (const messageId of session.outbox.waitingMessages())
        messages.set(`${messageId} ${appId}`, { appId, messageId });
    }
    return { sessions, messages: [...messages.values()] };
  }
}

function drop(sessions: readonly Session[], cancelled: readonly MessageKey[]): void {
  const ofApplication = new Map<string, Set<string>>();
  for (const { appId, messageId } of cancelled) {
    const ids = ofApplication.get(appId);
    if (ids === undefined) ofApplication.set(appId, new Set([messageId]));
    else ids.add(messageId);
  }
  for (const session of sessions) {
    const ids = ofApplication.get(session.identity?.appId ?? '');
    if (ids === undefined) continue;
    session.outbox.drop(ids);
    session.flow();
  }
}
