import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import { InboxRepository, LOCK_IDS, MessagesRepository } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import type { MaintenanceTask } from '../registry/maintenance-task';

/** Pages that one turn opens: a few thousand devices. */
const PAGES_A_TURN = 20;

/**
 * Messages that devices get over their own connection at a later moment (`sendAt` in their time zone, quiet hours, a rate): puts
 * them into the inboxes when that has come. The edges find them there. Every second (`SWEEP_INTERVAL_MS`).
 */
@Injectable()
export class OpenHeldInboxes implements MaintenanceTask {
  readonly name = 'open-held-inboxes';
  readonly intervalMs: number;
  readonly lock = LOCK_IDS.openHeldInboxes;

  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly inboxes: InboxRepository,
    private readonly messages: MessagesRepository,
    @Inject(CONFIG) { sweepIntervalMs }: Pick<Config, 'sweepIntervalMs'>,
  ) {
    this.intervalMs = sweepIntervalMs;
  }

  async run(): Promise<boolean> {
    const now = this.clock.now();
    const opened = await this.inboxes.openHeld(now, PAGES_A_TURN);
    if (opened.length === 0) return false;
    const messages = new Map(opened.map((message) => [`${message.appId} ${message.messageId}`, message]));
    await this.messages.complete([...messages.values()], now);
    return opened.length === PAGES_A_TURN;
  }
}
