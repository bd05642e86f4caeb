import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '@postrider/domain';
import type { Reading } from '../validation/values';
import { BodyReader } from '../fields/body-reader';
import { readCursor } from '../reading/cursor';

const MOST = 500;
const DEFAULT = 50;
const PLACE = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?[+-]\d\d(:\d\d)? [0-9a-f-]{36}$/;
const STATES = ['waiting', 'sending', 'delivered', 'failed'] as const;

/** What a new webhook is asked to be. */
export interface NewWebhookRequest {
  url: string;
  events: WebhookEventType[];
  /** Null: one is made. */
  secret: string | null;
  isEnabled: boolean;
}

/** What is to be changed of a webhook; null: nothing. */
export interface WebhookChangeRequest {
  url: string | null;
  events: WebhookEventType[] | null;
  isEnabled: boolean | null;
}

/** What a field's value must be like is for others to know: they say what is wrong with it, or null. */
export interface WebhookRules {
  url: (text: string) => string | null;
  secret: (text: string) => boolean;
}

/** The query of `GET /api/webhooks/:id/deliveries`. */
export interface ListWebhookEventsRequest {
  state: (typeof STATES)[number] | null;
  before: { createdAt: string; eventId: string } | null;
  limit: number;
}

/** The body of `POST /api/webhooks`. @throws InvalidRequest naming every bad field */
export function readNewWebhook(body: unknown, rules: WebhookRules): NewWebhookRequest {
  const fields = new BodyReader(body);
  fields.require('url', 'events');
  const request = {
    url: readUrl(fields, rules) ?? '',
    events: readEvents(fields) ?? [],
    secret: readSecret(fields, rules),
    isEnabled: fields.boolean('isEnabled') ?? true,
  };
  fields.finish();
  return request;
}

/** The body of `PATCH /api/webhooks/:id`. @throws InvalidRequest naming every bad field */
export function readWebhookChange(body: unknown, rules: WebhookRules): WebhookChangeRequest {
  const fields = new BodyReader(body);
  const request = {
    url: readUrl(fields, rules),
    events: readEvents(fields),
    isEnabled: fields.boolean('isEnabled'),
  };
  if (fields.raw('secret') !== undefined) fields.reject('secret', 'is changed by POST …/rotate-secret');
  fields.finish();
  return request;
}

/** The body of `POST /api/webhooks/:id/rotate-secret`. @throws InvalidRequest */
export function readNewSecret(body: unknown, rules: WebhookRules): string | null {
  const fields = new BodyReader(body ?? {});
  const secret = readSecret(fields, rules);
  fields.finish();
  return secret;
}

/** @throws InvalidRequest naming every bad parameter */
export function readListWebhookEvents(query: unknown): ListWebhookEventsRequest {
  const fields = new BodyReader(query ?? {});
  const place = fields.optional('cursor', (value) => readCursor(value, PLACE));
  const cut = place?.lastIndexOf(' ') ?? 0;
  const request = {
    state: fields.oneOf('state', STATES),
    before: place === null ? null : { createdAt: place.slice(0, cut), eventId: place.slice(cut + 1) },
    limit: fields.integer('limit', 1, MOST) ?? DEFAULT,
  };
  fields.finish();
  return request;
}

function readUrl(fields: BodyReader, rules: WebhookRules): string | null {
  return fields.optional<string>('url', (value) => {
    if (typeof value !== 'string') return { problem: 'must be an https address' };
    const problem = rules.url(value);
    return problem === null ? { value } : { problem };
  });
}

function readSecret(fields: BodyReader, rules: WebhookRules): string | null {
  return fields.optional<string>('secret', (value) =>
    typeof value === 'string' && rules.secret(value)
      ? { value }
      : { problem: 'must be whsec_ and 24 to 64 bytes in base64; leave it out to get one' },
  );
}

function readEvents(fields: BodyReader): WebhookEventType[] | null {
  const events = fields.list('events', 50, readEvent);
  if (events?.length === 0 && (fields.raw('events') as unknown[]).length === 0) {
    fields.reject('events', 'must name at least one event');
  }
  return events && [...new Set(events)];
}

function readEvent(value: unknown): Reading<WebhookEventType> {
  const found = WEBHOOK_EVENT_TYPES.find((type) => type === value);
  return found === undefined ? { problem: `must be one of ${WEBHOOK_EVENT_TYPES.join(', ')}` } : { value: found };
}
