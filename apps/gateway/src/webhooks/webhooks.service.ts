import { Inject, Injectable } from '@nestjs/common';
import type {
  NewWebhookRequest,
  WebhookChangeRequest,
  WebhookResponse,
  WebhookSecretResponse,
} from '@postrider/contracts';
import { type Clock, DAY_MS, DomainError, isUuid } from '@postrider/domain';
import {
  openWebhookSecrets,
  sealWebhookSecrets,
  type Webhook,
  type WebhookKey,
  WebhooksRepository,
} from '@postrider/persistence';
import { CLOCK, newId, SecretBox, unlessUnopened } from '@postrider/platform';
import { generateWebhookSecret } from '@postrider/vendors';
import { TooMany } from '../http/errors/conflicts';

/** How many webhooks an application may have. */
const MOST_WEBHOOKS = 10;
/** How long a former secret signs beside the new one. */
const FORMER_SECRET_MS = DAY_MS;

/** Stores the webhooks of applications. Their secrets are sealed, and shown once. */
@Injectable()
export class Webhooks {
  constructor(
    private readonly webhooks: WebhooksRepository,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly secretBox: SecretBox,
  ) {}

  /** @throws DomainError CONFLICT if the application has too many */
  async create(appId: string, { url, events, secret, isEnabled = true }: NewWebhookRequest): Promise<WebhookResponse> {
    const createdAt = this.clock.now();
    const webhookId = newId(createdAt);
    const shown = secret ?? generateWebhookSecret();
    const sealed = sealWebhookSecrets(this.secretBox, { appId, webhookId }, [{ secret: shown, until: null }]);
    const webhook = { appId, webhookId, url, events, sealed, isEnabled, createdAt };
    const made = await this.webhooks.insert(webhook, MOST_WEBHOOKS);
    if (!made) throw new TooMany(MOST_WEBHOOKS, 'webhooks');
    return Object.assign(showWebhook(made), { secret: shown });
  }

  /** Lists the webhooks of an application, oldest first. */
  async list(appId: string): Promise<WebhookResponse[]> {
    return (await this.webhooks.list(appId)).map(showWebhook);
  }

  /** @throws DomainError NOT_FOUND */
  async find(appId: string, webhookId: string): Promise<WebhookResponse> {
    return showWebhook(await findWebhook(this.webhooks, { appId, webhookId }));
  }

  /** @throws DomainError NOT_FOUND */
  async change(appId: string, webhookId: string, request: WebhookChangeRequest): Promise<WebhookResponse> {
    if (!isUuid(webhookId)) throw unknownWebhook();
    const { url = null, events = null, isEnabled = null } = request;
    const change = { url, events, isEnabled };
    const changed = await this.webhooks.update({ appId, webhookId }, change, this.clock.now());
    if (!changed) throw unknownWebhook();
    return showWebhook(changed);
  }

  /**
   * Gives a webhook another secret. The present one signs beside it for a day, older ones no longer do.
   *
   * @throws DomainError NOT_FOUND
   */
  async rotateSecret(appId: string, webhookId: string, wished?: string): Promise<WebhookSecretResponse> {
    const now = this.clock.now();
    const until = now.getTime() + FORMER_SECRET_MS;
    const secret = wished ?? generateWebhookSecret();
    const key = { appId, webhookId };
    const withAnother = (sealed: Buffer): Buffer => {
      // Secrets that were encrypted with a key that is lost sign nothing any more.
      const [present] = unlessUnopened(() => openWebhookSecrets(this.secretBox, { ...key, sealed })) ?? [];
      const former = present ? [{ ...present, until }] : [];
      return sealWebhookSecrets(this.secretBox, key, [{ secret, until: null }, ...former]);
    };
    const sealed = isUuid(webhookId) ? await this.webhooks.changeSealed(key, withAnother, now) : null;
    if (sealed === null) throw unknownWebhook();
    const [, former] = openWebhookSecrets(this.secretBox, { ...key, sealed });
    return { id: webhookId, secret, formerValidUntil: former ? new Date(until).toISOString() : null };
  }

  /** Deletes a webhook, its waiting events and its log. @throws DomainError NOT_FOUND */
  async remove(appId: string, webhookId: string): Promise<void> {
    if (!isUuid(webhookId) || !(await this.webhooks.delete({ appId, webhookId }))) throw unknownWebhook();
  }
}

/** Finds a webhook of an application. @throws DomainError NOT_FOUND */
export async function findWebhook(webhooks: WebhooksRepository, { appId, webhookId }: WebhookKey): Promise<Webhook> {
  const found = isUuid(webhookId) ? await webhooks.find({ appId, webhookId }) : null;
  if (!found) throw unknownWebhook();
  return found;
}

/** The answer for a webhook that is unknown in this application. */
export function unknownWebhook(): DomainError {
  return new DomainError('NOT_FOUND', 'There is no such webhook');
}

/** A webhook as an answer, without its secret. */
function showWebhook(webhook: Webhook): WebhookResponse {
  const { webhookId, url, events, isEnabled, disabledReason, failures, lastError } = webhook;
  return {
    id: webhookId,
    url,
    events,
    isEnabled,
    disabledReason,
    failures,
    failingSince: timeOf(webhook.failingSince),
    heldUntil: timeOf(webhook.heldUntil),
    lastError,
    lastErrorAt: timeOf(webhook.lastErrorAt),
    lastSuccessAt: timeOf(webhook.lastSuccessAt),
    createdAt: webhook.createdAt.toISOString(),
    updatedAt: webhook.updatedAt.toISOString(),
  };
}

/** A time as it is shown in an answer. */
export function timeOf(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
