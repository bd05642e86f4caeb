import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookEvent } from './webhook-event';

/** Headers as `fetch`, Node's `http`, Express and Fastify give them. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;

/** Why a webhook is not taken. */
export type WebhookRefusal = 'missing_header' | 'bad_timestamp' | 'bad_signature' | 'bad_body';

/** The webhook was not sent by Postrider, was changed on its way, or is too old. Answer it with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';

  constructor(
    readonly code: WebhookRefusal,
    message: string,
  ) {
    super(message);
  }
}

/** How strict the verification is. */
export interface VerifyOptions {
  /**
   * How far the sender's clock may be from this one, in seconds; the default is 300. An older request may be a repeated
   * one.
   */
  toleranceSeconds?: number;
  /** The present time, in milliseconds. */
  now?: number;
}

const PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 300;
/** Signatures that are looked at: the service sends two at most, while a secret is exchanged. */
const MOST_SIGNATURES = 10;
const SIGNATURE = /^v1,([A-Za-z0-9+/]{43}=)$/;

/**
 * Says whether a webhook is from Postrider (Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`), and reads it. The signatures
 * are compared in constant time.
 *
 * @param headers of the request
 * @param body exactly as it came: text or bytes, not parsed JSON
 * @param secret of the webhook (`whsec_…`), or several while you exchange it
 * @returns the event. It may come more than once: its `id` says so
 * @throws WebhookVerificationError if the webhook must not be trusted
 * @throws TypeError if `secret` is not a secret, or an empty list, or if `body` was parsed before
 */
export function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secret: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() }: VerifyOptions = {},
): WebhookEvent {
  const keys = keysOf(secret);
  const bytes = bytesOf(body);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  checkAge(timestamp, toleranceSeconds, now);
  const wanted = keys.map((key) => createHmac('sha256', key).update(`${id}.${timestamp}.`).update(bytes).digest());
  if (
    !signatures
      .split(' ')
      .slice(0, MOST_SIGNATURES)
      .some((signature) => isOneOf(signature, wanted))
  ) {
    throw new WebhookVerificationError('bad_signature', 'No signature is of this body under this secret');
  }
  return eventIn(bytes, id);
}

/** Without a secret every webhook would be refused as if its sender had signed it wrongly. */
function keysOf(secret: unknown): Buffer[] {
  const keys = (Array.isArray(secret) ? secret : [secret]).map(keyOf);
  if (keys.length === 0 || keys.some(({ length }) => length === 0)) {
    throw new TypeError('secret must be the secret of the webhook (whsec_ and base64), or a list of such secrets');
  }
  return keys;
}

/** Empty if it is not a secret. */
function keyOf(secret: unknown): Buffer {
  const isSecret = typeof secret === 'string' && secret.startsWith(PREFIX);
  return Buffer.from(isSecret ? secret.slice(PREFIX.length) : '', 'base64');
}

/** What a framework made of the body (`express.json()`) has not the bytes that were signed. */
function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  if (ArrayBuffer.isView(body)) return body as Uint8Array;
  throw new TypeError('body must be the text or the bytes of the request, as they came: not parsed JSON');
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1];
  const text = typeof value === 'string' ? value : value?.join(' ');
  if (text === undefined || text === '') {
    throw new WebhookVerificationError('missing_header', `The header ${name} is missing`);
  }
  return text;
}

function checkAge(timestamp: string, toleranceSeconds: number, now: number): void {
  const seconds = /^\d{1,15}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (Number.isNaN(seconds)) throw new WebhookVerificationError('bad_timestamp', 'The timestamp is not a time');
  if (Math.abs(now / 1_000 - seconds) <= toleranceSeconds) return;
  throw new WebhookVerificationError(
    'bad_timestamp',
    `The timestamp is more than ${toleranceSeconds} seconds from now: an old request, or a clock that is wrong`,
  );
}

/** Compares with every secret's signature, so that the time says nothing about which one it was. */
function isOneOf(signature: string, wanted: readonly Buffer[]): boolean {
  const given = Buffer.from(SIGNATURE.exec(signature)?.[1] ?? '', 'base64');
  return wanted.filter((right) => given.length === right.length && timingSafeEqual(given, right)).length > 0;
}

function eventIn(bytes: Uint8Array, id: string): WebhookEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof event === 'object' && event !== null && 'type' in event && 'id' in event && event.id === id) {
      return event as WebhookEvent;
    }
  } catch {
    // Said below.
  }
  throw new WebhookVerificationError('bad_body', 'The body is not the event that the header webhook-id names');
}
