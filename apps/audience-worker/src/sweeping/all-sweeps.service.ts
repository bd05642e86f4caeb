import { Injectable } from '@nestjs/common';
import {
  CancelledSweep,
  FallbackSweep,
  InboxSweep,
  LostJobsSweep,
  MessageSweep,
  PageSweep,
  type Sweep,
  TagJobSweep,
  WebhookSweep,
} from '@postrider/maintenance';

/** Several kinds of forgotten work, one after the other. One that fails does not keep the others from their turn. */
class Sweeps implements Sweep {
  constructor(private readonly sweeps: readonly Sweep[]) {}

  /** @throws what the first one threw that failed, after all of them */
  async sweep(): Promise<boolean> {
    let hasMore = false;
    const failures: unknown[] = [];
    for (const one of this.sweeps) {
      try {
        hasMore = (await one.sweep()) || hasMore;
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return hasMore;
  }
}

/** What has to be woken up, pages first: their devices have waited longest. Every turn is short. */
@Injectable()
export class WakeUps extends Sweeps {
  constructor(
    lostJobs: LostJobsSweep,
    pages: PageSweep,
    messages: MessageSweep,
    fallbacks: FallbackSweep,
    tagJobs: TagJobSweep,
    webhooks: WebhookSweep,
  ) {
    super([lostJobs, pages, messages, fallbacks, tagJobs, webhooks]);
  }
}

/** What is done right here. A turn may take a while, which nothing that is due must wait for. */
@Injectable()
export class Endings extends Sweeps {
  constructor(inboxes: InboxSweep, cancelled: CancelledSweep) {
    super([inboxes, cancelled]);
  }
}
