import type { SecretBox } from '@postrider/platform';
import { SEAL_CONTEXTS } from '../sealed/seal-contexts';
import type { Webhook, WebhookKey } from './webhooks.repository';

/** A secret that signs a webhook's events, as it is sealed: for good, or until a moment (milliseconds since 1970). */
type WebhookSecret = { secret: string; until: number | null };

/** Seals the secrets of a webhook, the newest first. */
export function sealWebhookSecrets(
  box: SecretBox,
  { appId, webhookId }: WebhookKey,
  secrets: readonly WebhookSecret[],
): Buffer {
  return box.seal([...secrets], SEAL_CONTEXTS.webhookSecrets(appId, webhookId));
}

/**
 * Opens the secrets of a webhook, the newest first. Some of them may be over.
 * @throws UnopenedSeal if they were sealed under another `SECRET_KEY`
 */
export function openWebhookSecrets(
  box: SecretBox,
  { appId, webhookId, sealed }: Pick<Webhook, 'appId' | 'webhookId' | 'sealed'>,
): WebhookSecret[] {
  return box.open<WebhookSecret[]>(sealed, SEAL_CONTEXTS.webhookSecrets(appId, webhookId));
}
