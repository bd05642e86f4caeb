import { Injectable } from '@nestjs/common';
import { TagJobSweep } from '../bulk-tags/tag-job-sweep.service';
import { FallbackSweep } from './fallback-sweep.service';
import { InboxSweep } from './inbox-sweep.service';
import { MessageSweep } from './message-sweep.service';
import { PageSweep } from './page-sweep.service';
import type { Sweep } from './sweep';
import { WebhookSweep } from './webhook-sweep.service';

/** Every kind of forgotten work, pages first: their devices have waited longest. */
@Injectable()
export class AllSweeps implements Sweep {
  readonly #sweeps: readonly Sweep[];

  constructor(
    pages: PageSweep,
    messages: MessageSweep,
    inboxes: InboxSweep,
    fallbacks: FallbackSweep,
    tagJobs: TagJobSweep,
    webhooks: WebhookSweep,
  ) {
    this.#sweeps = [pages, messages, inboxes, fallbacks, tagJobs, webhooks];
  }

  async sweep(): Promise<boolean> {
    let hasMore = false;
    for (const one of this.#sweeps) hasMore = (await one.sweep()) || hasMore;
    return hasMore;
  }
}
