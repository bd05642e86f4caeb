import { Inject, Injectable } from '@nestjs/common';
import { type Clock, DAY_MS, SECOND_MS } from '@postrider/domain';
import { type ClaimedWebhookEvent, WebhookEventsRepository, type WebhookKey } from '@postrider/persistence';
import { CLOCK, CONFIG, type Config } from '@postrider/platform';
import { type WebhookAnswer, type WebhookClient, webhookHeaders } from '@postrider/vendors';
import { decideWebhookStep, type WebhookStep } from './decide-webhook-step';
import { WebhookReport } from './webhook-report.service';

/** Nest injection token of the `WebhookClient`. */
export const WEBHOOK_CLIENT = Symbol('WebhookClient');

/** After this many failures in a row a webhook is held, and one event at a time finds out if it works again. */
export const HOLD_AFTER_FAILURES = 5;

/**
 * A receiver that keeps failing gets nothing for this long, then for longer; after days its webhook is switched off.
 */
const FIRST_HOLD_MS = 30 * SECOND_MS;
const LONGEST_HOLD_MS = 600 * SECOND_MS;
const DISABLE_AFTER_MS = 3 * DAY_MS;

/** The address of a webhook's events, and the secrets that sign them. */
export interface WebhookTarget extends WebhookKey {
  url: string;
  secrets: readonly string[];
}

/** Sends one claimed event, once, and records the result. */
@Injectable()
export class AttemptWebhookEvent {
  constructor(
    private readonly events: WebhookEventsRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(WEBHOOK_CLIENT) private readonly client: Pick<WebhookClient, 'post'>,
    private readonly report: WebhookReport,
  ) {}

  /**
   * Attempts one event. An attempt whose record is lost is made again when its lease is over.
   *
   * @returns true if more may be sent to this webhook now
   */
  async attempt(target: WebhookTarget, event: ClaimedWebhookEvent): Promise<boolean> {
    const startedAt = this.clock.now();
    const start = performance.now();
    const answer = await this.#post(target, event, startedAt);
    const durationMs = Math.round(performance.now() - start);
    const policy = { timeScale: this.config.retryTimeScale, random: Math.random };
    const step = decideWebhookStep(event, answer, this.clock.now(), policy);
    this.report.attempted(target, event, step, start);
    const webhook = await this.#record(target, event, step, { startedAt, durationMs });
    if (webhook?.isSwitchedOff) this.report.disabled(target, step);
    return webhook?.isOpen ?? false;
  }

  async #post({ appId, url, secrets }: WebhookTarget, event: ClaimedWebhookEvent, at: Date): Promise<WebhookAnswer> {
    const { eventId: id, type, createdAt, data } = event;
    const body = JSON.stringify({ id, type, createdAt: createdAt.toISOString(), appId, data });
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Postrider-Webhooks/1',
      ...webhookHeaders({ id, at, body }, secrets),
    };
    return this.client.post(url, headers, body);
  }

  #record(
    { appId, webhookId, url }: WebhookTarget,
    { eventId, attempt }: ClaimedWebhookEvent,
    { penalty, ...result }: WebhookStep,
    times: { startedAt: Date; durationMs: number },
  ): ReturnType<WebhookEventsRepository['recordAttempt']> {
    const { retryTimeScale } = this.config;
    return this.events.recordAttempt({ appId, webhookId, url, eventId, attempt }, { ...result, ...times }, penalty, {
      now: this.clock.now(),
      failuresForHold: HOLD_AFTER_FAILURES,
      firstHoldMs: FIRST_HOLD_MS * retryTimeScale,
      longestHoldMs: LONGEST_HOLD_MS * retryTimeScale,
      disableAfterMs: DISABLE_AFTER_MS,
    });
  }
}
