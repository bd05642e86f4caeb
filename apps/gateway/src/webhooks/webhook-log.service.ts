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
import {
  type Webhook,
  type WebhookEventRecord,
  WebhookEventsRepository,
  type WebhookKey,
  WebhooksRepository,
} from '@postrider/persistence';
import { CLOCK, LOGGER, type Logger } from '@postrider/platform';
import { JOBS_CLIENT, type JobsClient, sendWebhookEvents } from '@postrider/queues';
import { findWebhook, timeOf, unknownWebhook } from './webhooks.service';

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
    const webhook = await findWebhook(this.webhooks, key);
    const wanted = { state: state ?? null, before: placeOf(cursor), limit: limit + 1 };
    const found = await this.events.list(key, wanted);
    const { entries, nextCursor } = cutList(found, limit, (last) => makeCursor(`${last.place} ${last.eventId}`));
    return { deliveries: entries.map((event) => showDelivery(event, webhook)), nextCursor };
  }

  /** Sends an event again, under its old id. @throws DomainError NOT_FOUND; CONFLICT while it is being sent */
  async redeliver(key: WebhookKey, eventId: string): Promise<WebhookDeliveryResponse> {
    const webhook = await findWebhook(this.webhooks, key);
    const outcome = isUuid(eventId) ? await this.events.sendAgain(key, eventId, this.clock.now()) : null;
    if (outcome === null) throw unknownEvent();
    if (outcome === 'busy') throw new DomainError('CONFLICT', 'The event is being sent at this moment');
    const event = await this.events.find(key, eventId);
    if (!event) throw unknownEvent();
    this.#wake(key);
    return showDelivery(event, webhook);
  }

  /** Sends an event of the type `webhook.test`. @throws DomainError NOT_FOUND */
  async test(key: WebhookKey): Promise<WebhookTestResponse> {
    await findWebhook(this.webhooks, key);
    const data = { message: 'This is a test; nothing happened.' };
    const eventId = await this.events.insertTest(key, 'webhook.test', data);
    if (eventId === null) throw unknownWebhook();
    this.#wake(key);
    return { eventId };
  }

  /** Enqueues the webhook. It is not awaited: without Redis, recovery enqueues it a second later. */
  #wake({ appId, webhookId }: WebhookKey): void {
    this.jobs
      .enqueue(sendWebhookEvents, [{ appId, webhookId }])
      .catch((error: unknown) => this.logger.warn({ err: error, webhookId }, 'webhook.not-enqueued'));
  }
}

/** One event of the log as an answer. */
function showDelivery(event: WebhookEventRecord, webhook: Webhook): WebhookDeliveryResponse {
  const { eventId, type, state, tries, attempts } = event;
  const last = attempts.at(-1);
  return {
    eventId,
    type,
    state,
    attempt: tries,
    statusCode: last?.statusCode ?? null,
    durationMs: last?.durationMs ?? null,
    error: last?.error ?? null,
    nextTryAt: state === 'waiting' ? timeOf(nextTryOf(event, webhook)) : null,
    createdAt: event.createdAt.toISOString(),
    endedAt: timeOf(event.endedAt),
    attempts,
  };
}

/** Nothing is sent to a webhook that is switched off, or before its pause ends. */
function nextTryOf({ nextTryAt }: WebhookEventRecord, { isEnabled, heldUntil }: Webhook): Date | null {
  if (!isEnabled || nextTryAt === null) return null;
  return heldUntil !== null && heldUntil > nextTryAt ? heldUntil : nextTryAt;
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
