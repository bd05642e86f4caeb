import { WEBHOOK_EVENT_TYPES } from '@postrider/domain';

/** JSON schemas of the webhook endpoints, for the API document. */
const ID = { type: 'string', format: 'uuid' };
const TIME = { type: 'string', format: 'date-time' };
const TIME_OR_NULL = { type: ['string', 'null'], format: 'date-time' };
const TEXT_OR_NULL = { type: ['string', 'null'] };
const NUMBER_OR_NULL = { type: ['integer', 'null'] };
const URL_FIELD = { type: 'string', format: 'uri', maxLength: 2_048 };
const EVENTS = { type: 'array', minItems: 1, items: { enum: [...WEBHOOK_EVENT_TYPES] } };
const SECRET = {
  type: 'string',
  description: '`whsec_` and 24 to 64 bytes in base64; one is made when it is left out',
};

export const NEW_WEBHOOK_SCHEMA = {
  type: 'object',
  required: ['url', 'events'],
  properties: { url: URL_FIELD, events: EVENTS, secret: SECRET, isEnabled: { type: 'boolean', default: true } },
};

export const WEBHOOK_CHANGE_SCHEMA = {
  type: 'object',
  properties: { url: URL_FIELD, events: EVENTS, isEnabled: { type: 'boolean' } },
};

export const NEW_SECRET_SCHEMA = { type: 'object', properties: { secret: SECRET } };

export const WEBHOOK_SCHEMA = {
  type: 'object',
  required: ['id', 'url', 'events', 'isEnabled', 'failures', 'createdAt', 'updatedAt'],
  properties: {
    id: ID,
    url: URL_FIELD,
    events: EVENTS,
    isEnabled: { type: 'boolean' },
    disabledReason: TEXT_OR_NULL,
    failures: { type: 'integer' },
    failingSince: TIME_OR_NULL,
    heldUntil: TIME_OR_NULL,
    lastError: TEXT_OR_NULL,
    lastErrorAt: TIME_OR_NULL,
    lastSuccessAt: TIME_OR_NULL,
    createdAt: TIME,
    updatedAt: TIME,
    secret: { type: 'string', description: 'shown once, to whoever made the webhook' },
  },
};

export const WEBHOOKS_SCHEMA = {
  type: 'object',
  required: ['webhooks'],
  properties: { webhooks: { type: 'array', items: WEBHOOK_SCHEMA } },
};

export const WEBHOOK_SECRET_SCHEMA = {
  type: 'object',
  required: ['id', 'secret', 'formerValidUntil'],
  properties: { id: ID, secret: { type: 'string' }, formerValidUntil: TIME },
};

export const WEBHOOK_EVENT_ID_SCHEMA = { type: 'object', required: ['eventId'], properties: { eventId: ID } };

const ATTEMPT = {
  type: 'object',
  properties: { at: TIME, statusCode: NUMBER_OR_NULL, durationMs: { type: 'integer' }, error: TEXT_OR_NULL },
};

const WEBHOOK_DELIVERY = {
  type: 'object',
  required: ['eventId', 'type', 'state', 'attempt', 'createdAt', 'attempts'],
  properties: {
    eventId: ID,
    type: { type: 'string' },
    state: { enum: ['waiting', 'sending', 'delivered', 'failed'] },
    attempt: { type: 'integer' },
    statusCode: NUMBER_OR_NULL,
    durationMs: NUMBER_OR_NULL,
    error: TEXT_OR_NULL,
    nextTryAt: TIME_OR_NULL,
    createdAt: TIME,
    endedAt: TIME_OR_NULL,
    attempts: { type: 'array', items: ATTEMPT },
  },
};

export const WEBHOOK_DELIVERIES_SCHEMA = {
  type: 'object',
  required: ['deliveries', 'nextCursor'],
  properties: { deliveries: { type: 'array', items: WEBHOOK_DELIVERY }, nextCursor: TEXT_OR_NULL },
};
