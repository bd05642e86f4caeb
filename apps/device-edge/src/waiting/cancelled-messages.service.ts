import { groupBy, inParts } from '@postrider/domain';
import { Injectable } from '@nestjs/common';
import { type MessageKey, MessagesRepository } from '@postrider/persistence';
import type { DeviceSession } from '../session/device-session';
import { SessionRegistry } from '../session/session-registry';

/** The number of messages that one statement checks. */
const AT_ONCE = 5_000;

/**
 * Drops cancelled messages from outboxes, where they wait behind a full in-flight window or a slow socket. (Expiry is checked
 * when a message is published; a device that gets another owner loses its connection.)
 */
@Injectable()
export class CancelledMessages {
  constructor(
    private readonly messages: MessagesRepository,
    private readonly registry: SessionRegistry,
  ) {}

  /** Call it about once a second. It runs no statement if all outboxes are empty. */
  async dropFromOutboxes(): Promise<void> {
    const { sessions, messages } = this.#waiting();
    for (const some of inParts(messages, AT_ONCE)) {
      const cancelled = await this.messages.findCancelled(some);
      if (cancelled.length > 0) drop(sessions, cancelled);
    }
  }

  #waiting(): { sessions: DeviceSession[]; messages: MessageKey[] } {
    const sessions: DeviceSession[] = [];
    const messages = new Map<string, MessageKey>();
    for (const session of this.registry.connected()) {
      if (session.outbox.waiting === 0 || session.identity === null) continue;
      sessions.push(session);
      const { appId } = session.identity;
      for (const messageId of session.outbox.waitingMessages())
        messages.set(`${messageId} ${appId}`, { appId, messageId });
    }
    return { sessions, messages: [...messages.values()] };
  }
}

function drop(sessions: readonly DeviceSession[], cancelled: readonly MessageKey[]): void {
  const ofApplication = groupBy(cancelled, ({ appId }) => appId);
  for (const session of sessions) {
    const keys = ofApplication.get(session.identity?.appId ?? '');
    if (keys === undefined) continue;
    session.outbox.drop(new Set(keys.map(({ messageId }) => messageId)));
    session.flush();
  }
}
