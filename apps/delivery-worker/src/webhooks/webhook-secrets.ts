import type { SecretBox } from '@postrider/platform';
import type { Webhook } from '@postrider/persistence';

/** A secret as it is sealed: for good, or until a moment (milliseconds since 1970). */
type SealedSecret = { secret: string; until: number | null };

/**
 * The secrets that sign a webhook's events now, the newest first.
 *
 * @throws when they were sealed under another `SECRET_KEY`
 */
export function openWebhookSecrets(box: SecretBox, webhook: Webhook, now: Date): string[] {
  const { appId, webhookId, sealed } = webhook;
  const secrets = box.open<SealedSecret[]>(sealed, `webhook:${appId}:${webhookId}`);
  return secrets.filter(({ until }) => until === null || until > now.getTime()).map(({ secret }) => secret);
}
