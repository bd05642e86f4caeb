import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { nextWindow, resolveSlice } from '@postrider/audience';
import type { MessageResponse } from '@postrider/contracts';
import { type Clock, DomainError } from '@postrider/domain';
import { type Database, DATABASE, MessagesRepository } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config, LOGGER, type Logger } from '@postrider/platform';
import { ReadMessages } from './read-messages.service';

/** The most recipients of one step. */
const SLICE_SIZE = 5_000;

/**
 * How long the caller waits for records of devices that the message had not reached. An audience worker makes the
 * others.
 */
const RECORDS_FOR_MS = 1_000;

/** A worker that resolves the message at this moment releases it within this time. */
const TAKEN_FOR_MS = 20;

/** Stops messages: it writes one row, however many devices there are. Workers check it before they go on. */
@Injectable()
export class CancelMessage {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly readMessages: ReadMessages,
    private readonly messages: MessagesRepository,
  ) {}

  /**
   * Cancels what is not sent yet. Cancelling again gives the same answer. Devices that the message had not reached get
   * a record of that, most of them before this returns.
   *
   * @throws DomainError NOT_FOUND; CONFLICT if the message is done and nothing is left to stop
   */
  async cancel(appId: string, id: string): Promise<MessageResponse> {
    const before = await this.readMessages.find(appId, id);
    const message = { appId, messageId: before.id };
    if (await this.messages.cancel(this.database, message, this.clock.now())) await this.#record(appId, before.id);
    const after = await this.readMessages.find(appId, id);
    if (after.status === 'cancelled') return after;
    throw new DomainError('CONFLICT', 'The message is done; nothing is left to cancel');
  }

  /**
   * Gives the devices that are left their outcomes, for a limited time. Never throws: the message is cancelled, and
   * recovery handles what is left.
   */
  async #record(appId: string, messageId: string): Promise<void> {
    try {
      await this.#resolve(appId, messageId);
    } catch (error) {
      this.logger.warn({ appId, messageId, err: error }, 'message.not-recorded');
    }
  }

  async #resolve(appId: string, messageId: string): Promise<void> {
    const endsAt = performance.now() + RECORDS_FOR_MS;
    const sizes = { sliceSize: SLICE_SIZE, pageSize: this.config.pageSize };
    let windowSize = SLICE_SIZE;
    while (performance.now() < endsAt) {
      const step = await resolveSlice(this.database, { appId, messageId, now: this.clock.now(), windowSize, ...sizes });
      if (step.kind === 'taken') await pause(TAKEN_FOR_MS);
      else if (step.kind !== 'resolved' || step.isFinished) return;
      else windowSize = nextWindow(windowSize, step.found, SLICE_SIZE);
    }
  }
}
