import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const NEW_SECRET_BYTES = 32;

/** A new secret in the form of Standard Webhooks: `whsec_` and base64. */
export function generateWebhookSecret(): string {
  return PREFIX + randomBytes(NEW_SECRET_BYTES).toString('base64');
}

/** The parts of an event that are signed. */
interface SignedWebhook {
  /** The event's id: the same with every attempt. */
  id: string;
  /** When it is sent. */
  at: Date;
  body: string;
}

/**
 * The headers that prove who sends an event (Standard Webhooks): one signature for each secret, so that a receiver may know
 * the former one or the new one.
 */
export function webhookHeaders({ id, at, body }: SignedWebhook, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
