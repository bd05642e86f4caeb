import { Inject, Injectable } from '@nestjs/common';
import {
  cutList,
  makeCursor,
  type WebhookDeliveriesQuery,
  type WebhookDeliveriesResponse,
  type WebhookDeliveryResponse,
  type WebhookTestResponse,
} from '@postrider/contracts';
import { type Clock, DomainError, isUuid } from '@postrider/domain';
import { WebhookEventsRepository, type WebhookKey, WebhooksRepository } from '@postrider/persistence';
import { CLOCK, LOGGER, type Logger } from '@postrider/platform';
import { JOBS_CLIENT, type JobsClient, sendWebhookEvents } from '@postrider/queues';
import { showWebhookDelivery, unknownWebhook } from './webhooks.service';

/** Shows what was sent to webhooks and the results, and sends it again. */
@Injectable()
export class WebhookLog {
  constructor(
    private readonly events: WebhookEventsRepository,
    private readonly webhooks: WebhooksRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(JOBS_CLIENT) private readonly jobs: JobsClient,
  ) {}

  /**
   * Lists the events of a webhook, newest first.
   *
   * @throws DomainError NOT_FOUND
   */
  async list(key: WebhookKey, { state, cursor, limit }: WebhookDeliveriesQuery): Promise<WebhookDeliveriesResponse> {
    await this.#check(key);
    const wanted = { state: state ?? null, before: placeOf(cursor), limit: limit + 1 };
    const found = await this.events.list(key, wanted);
    const { entries, nextCursor } = cutList(found, limit, (last) => makeCursor(`${last.place} ${last.eventId}`));
    return { deliveries: entries.map(showWebhookDelivery), nextCursor };
  }

  /** Sends an event again, under its old id. @throws DomainError NOT_FOUND; CONFLICT while it is being sent */
  async redeliver(key: WebhookKey, eventId: string): Promise<WebhookDeliveryResponse> {
    await this.#check(key);
    const outcome = isUuid(eventId) ? await this.events.sendAgain(key, eventId, this.clock.now()) : null;
    if (outcome === null) throw unknownEvent();
    if (outcome === 'busy') throw new DomainError('CONFLICT', 'The event is being sent at this moment');
    const event = await this.events.find(key, eventId);
    if (!event) throw unknownEvent();
    this.#wake(key);
    return showWebhookDelivery(event);
  }

  /** Sends an event of the type `webhook.test`. @throws DomainError NOT_FOUND */
  async test(key: WebhookKey): Promise<WebhookTestResponse> {
    await this.#check(key);
    const data = { message: 'This is a test; nothing happened.' };
    const eventId = await this.events.insertTest(key, 'webhook.test', data);
    if (eventId === null) throw unknownWebhook();
    this.#wake(key);
    return { eventId };
  }

  async #check(key: WebhookKey): Promise<void> {
    if (!isUuid(key.webhookId) || !(await this.webhooks.find(key))) throw unknownWebhook();
  }

  /** Enqueues the webhook. It is not awaited: without Redis, recovery enqueues it a second later. */
  #wake({ appId, webhookId }: WebhookKey): void {
    this.jobs
      .enqueue(sendWebhookEvents, [{ appId, webhookId }])
      .catch((error: unknown) => this.logger.warn({ err: error, webhookId }, 'webhook.not-enqueued'));
  }
}

/** A place in the log: the time of an event, and its id. */
function placeOf(cursor: string | undefined): { createdAt: string; eventId: string } | null {
  if (cursor === undefined) return null;
  const cut = cursor.lastIndexOf(' ');
  return { createdAt: cursor.slice(0, cut), eventId: cursor.slice(cut + 1) };
}

function unknownEvent(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such event in the log of this webhook');
}
