import { Inject, Injectable } from '@nestjs/common';
import { type Database, DATABASE, findHandOvers, type MessageKey, MessagesRepository } from '@postrider/persistence';

/** What interrupts pages that run: messages that were cancelled, and devices that belong to somebody else now. */
@Injectable()
export class Interruptions {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly messages: MessagesRepository,
  ) {}

  /** Which of `messages` were cancelled. */
  findCancelled(messages: readonly MessageKey[]): Promise<MessageKey[]> {
    return this.messages.findCancelled(messages);
  }

  /** Devices that changed hands lately. */
  findHandOvers(): ReturnType<typeof findHandOvers> {
    return findHandOvers(this.database);
  }
}
