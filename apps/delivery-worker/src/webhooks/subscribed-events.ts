import { Inject, Injectable } from '@nestjs/common';
import type { Clock, WebhookEventType } from '@postrider/domain';
import { WebhooksRepository } from '@postrider/persistence';
import { CLOCK, createExpiringCache } from '@postrider/platform';
import type { LRUCache } from 'lru-cache';

/** A new webhook gets events within this time. */
const CACHED_MS = 3_000;
const APPLICATIONS = 10_000;

/**
 * The events for which applications have webhooks, as they were a few seconds ago. For an application without webhooks
 * this costs nothing.
 */
@Injectable()
export class SubscribedEvents {
  readonly #known: LRUCache<string, Promise<ReadonlySet<WebhookEventType>>>;

  constructor(
    private readonly webhooks: WebhooksRepository,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.#known = createExpiringCache(clock, APPLICATIONS, CACHED_MS);
  }

  /** True if a webhook of the application asks for events of this type. */
  async has(appId: string, type: WebhookEventType): Promise<boolean> {
    let subscribed = this.#known.get(appId);
    if (subscribed === undefined) {
      subscribed = this.#find(appId);
      this.#known.set(appId, subscribed);
    }
    return (await subscribed).has(type);
  }

  async #find(appId: string): Promise<ReadonlySet<WebhookEventType>> {
    try {
      return new Set(await this.webhooks.findAskedEvents(appId));
    } catch (error) {
      this.#known.delete(appId);
      throw error;
    }
  }
}
