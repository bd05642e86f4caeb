import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@postrider/domain';
import {
  openWebhookSecrets,
  WebhookEventsRepository,
  type WebhookKey,
  WebhooksRepository,
} from '@postrider/persistence';
import { CLOCK, type Logger, LOGGER, SecretBox } from '@postrider/platform';
import { AttemptWebhookEvent, HOLD_AFTER_FAILURES, type WebhookTarget } from './attempt-webhook-event.service';

/** Calls to one webhook at a time. */
export const CALLS_AT_ONCE = 8;
/**
 * The number of webhooks that one worker sends to at a time: all webhooks of a hundred applications. A receiver that
 * hangs occupies one place for as long as a call may take, and its webhook is held after its first failures.
 */
export const WEBHOOKS_AT_ONCE = 1_000;
/** Longer than a call can take, including the time for its record. */
const LEASE_MS = 30_000;
/** A webhook with much to send makes room for others after this time. */
const SLICE_MS = 5_000;
/** A secret that was sealed under another SECRET_KEY is tried again after this time. */
const SECRET_HOLD_MS = 600_000;
/**
 * A job that finds this process busy with its webhook runs again after this time: the process may have missed newer
 * events.
 */
const BUSY_MS = 1_000;

/** How sending to a webhook ended: nothing is due any more, or the same must be done again later. */
export type WebhookSendResult = { kind: 'done' } | { kind: 'later'; delayMs: number };

/**
 * Sends a webhook's events that are due. It is safe to run at any time, by any number of processes at once and after
 * any interruption: PostgreSQL decides who sends what. An event is sent at least once; after a kill it may be sent
 * again.
 */
@Injectable()
export class SendWebhookEvents {
  /**
   * The webhooks that this process sends to now: each once at a time, so that none waits for the receiver of another.
   */
  readonly #busy = new Set<string>();

  constructor(
    private readonly events: WebhookEventsRepository,
    private readonly webhooks: WebhooksRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly secretBox: SecretBox,
    private readonly attempts: AttemptWebhookEvent,
  ) {}

  /** @param stopping fires when the process stops: calls in flight end, and nothing more begins */
  async send(key: WebhookKey, stopping: AbortSignal): Promise<WebhookSendResult> {
    const name = JSON.stringify([key.appId, key.webhookId]);
    if (this.#busy.has(name)) return { kind: 'later', delayMs: BUSY_MS };
    this.#busy.add(name);
    try {
      return await this.#send(key, stopping);
    } finally {
      this.#busy.delete(name);
    }
  }

  async #send(key: WebhookKey, stopping: AbortSignal): Promise<WebhookSendResult> {
    const endsAt = performance.now() + SLICE_MS;
    const target = await this.#target(key);
    while (target !== null && !stopping.aborted) {
      const now = this.clock.now();
      const leaseUntil = new Date(now.getTime() + LEASE_MS);
      const options = { now, leaseUntil, limit: CALLS_AT_ONCE, failuresForOne: HOLD_AFTER_FAILURES };
      const events = await this.events.claim(key, options);
      const mayGoOn = await Promise.all(events.map((event) => this.attempts.attempt(target, event)));
      if (events.length === 0 || mayGoOn.includes(false)) break;
      if (performance.now() > endsAt) return { kind: 'later', delayMs: 0 };
    }
    return { kind: 'done' };
  }

  async #target(key: WebhookKey): Promise<WebhookTarget | null> {
    const webhook = await this.webhooks.find(key);
    if (!webhook?.isEnabled) return null;
    try {
      const now = this.clock.now().getTime();
      const valid = openWebhookSecrets(this.secretBox, webhook).filter(({ until }) => until === null || until > now);
      return { ...key, url: webhook.url, secrets: valid.map(({ secret }) => secret) };
    } catch (error) {
      this.logger.error({ ...key, err: error }, 'webhook.secret-unusable');
      const now = this.clock.now();
      const until = new Date(now.getTime() + SECRET_HOLD_MS);
      await this.webhooks.hold(key, { until, error: 'The stored secret cannot be opened', now });
      return null;
    }
  }
}
