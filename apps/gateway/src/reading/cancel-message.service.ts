import { Inject, Injectable } from '@nestjs/common';
import type { MessageResponse } from '@postrider/contracts';
import { type Clock, DomainError } from '@postrider/domain';
import { cancelMessage, type Database, DATABASE } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';
import { ReadMessages } from './read-messages.service';

/** Stops messages: one row is written, however many devices there are; workers look at it before they go on. */
@Injectable()
export class CancelMessage {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly readMessages: ReadMessages,
  ) {}

  /**
   * Cancels what is not sent yet. A message that was cancelled before is answered alike.
   *
   * @throws DomainError NOT_FOUND; CONFLICT when it is done and nothing is left to stop
   */
  async cancel(appId: string, id: string): Promise<MessageResponse> {
    const before = await this.readMessages.find(appId, id);
    await cancelMessage(this.database, appId, before.id, this.clock.now());
    const after = await this.readMessages.find(appId, id);
    if (after.status === 'cancelled') return after;
    throw new DomainError('CONFLICT', 'The message is done: there is nothing left to stop');
  }
}
