import { Inject, Injectable } from '@nestjs/common';
import type { Clock, WebhookEventType } from '@postrider/domain';
import { WebhooksRepository } from '@postrider/persistence';
import { CLOCK } from '@postrider/platform';

/** A new webhook is heard of within this time. */
const CACHED_MS = 3_000;
const APPLICATIONS = 10_000;

/** Which events applications have webhooks for, as it was a few seconds ago: nobody else pays for what nobody asked for. */
@Injectable()
export class SubscribedEvents {
  readonly #known = new Map<string, { subscribed: Promise<ReadonlySet<WebhookEventType>>; until: number }>();

  constructor(
    private readonly webhooks: WebhooksRepository,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Whether a webhook of the application asks for events of this type. */
  async has(appId: string, type: WebhookEventType): Promise<boolean> {
    const now = this.clock.now().getTime();
    let known = this.#known.get(appId);
    if (known === undefined || known.until <= now) {
      known = { subscribed: this.#find(appId), until: now + CACHED_MS };
      this.#remember(appId, known);
    }
    return (await known.subscribed).has(type);
  }

  async #find(appId: string): Promise<ReadonlySet<WebhookEventType>> {
    try {
      return new Set(await this.webhooks.findAskedEvents(appId));
    } catch (error) {
      this.#known.delete(appId);
      throw error;
    }
  }

  #remember(appId: string, known: { subscribed: Promise<ReadonlySet<WebhookEventType>>; until: number }): void {
    this.#known.delete(appId);
    this.#known.set(appId, known);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= APPLICATIONS) return;
      this.#known.delete(oldest);
    }
  }
}
