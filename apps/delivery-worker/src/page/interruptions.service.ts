import { Injectable } from '@nestjs/common';
import { HandOversRepository, type MessageKey, MessagesRepository } from '@postrider/persistence';

/** What interrupts pages that run: messages that were cancelled, and devices that belong to somebody else now. */
@Injectable()
export class Interruptions {
  constructor(
    private readonly messages: MessagesRepository,
    private readonly handOvers: HandOversRepository,
  ) {}

  /** Which of `messages` were cancelled. */
  findCancelled(messages: readonly MessageKey[]): Promise<MessageKey[]> {
    return this.messages.findCancelled(messages);
  }

  /** Devices that changed hands lately. */
  findHandOvers(): ReturnType<HandOversRepository['listRecent']> {
    return this.handOvers.listRecent();
  }
}
