import { DELIVERY_STATES, FALLBACK_STATES } from '@postrider/domain';

/** JSON schemas of the reading API, for the API document. */
const TEXT = { type: 'string' };
const NULLABLE_TEXT = { type: ['string', 'null'] };
const NULLABLE_TIME = { type: ['string', 'null'], format: 'date-time' };
const TIME = { type: 'string', format: 'date-time' };
const COUNT = { type: 'integer', minimum: 0 };
const COUNTS = { type: 'object', additionalProperties: COUNT };

const SUMMARY = {
  id: { type: 'string', format: 'uuid' },
  kind: { enum: ['users', 'query', 'notify'] },
  status: { enum: ['accepted', 'sending', 'done', 'cancelled'] },
  count: COUNT,
  trackId: NULLABLE_TEXT,
  clientId: NULLABLE_TEXT,
  batchId: NULLABLE_TEXT,
  channel: TEXT,
  acceptedAt: TIME,
  expiresAt: TIME,
  cancelledAt: NULLABLE_TIME,
  doneAt: NULLABLE_TIME,
  rate: { type: ['integer', 'null'] },
  sendAt: { type: ['string', 'null'], description: 'as asked for: ISO 8601, with localTime without an offset' },
  localTime: { type: 'boolean' },
  ignoreQuietHours: { type: 'boolean' },
  content: { type: 'object', additionalProperties: true },
};

const TOTALS = {
  type: 'object',
  required: [...DELIVERY_STATES],
  properties: Object.fromEntries(DELIVERY_STATES.map((state) => [state, COUNT])),
};

export const MESSAGE_SCHEMA = {
  type: 'object',
  required: ['id', 'status', 'count', 'recipients', 'totals', 'byVendor', 'errors', 'fallback'],
  properties: {
    ...SUMMARY,
    users: { type: ['array', 'null'], items: TEXT },
    target: { type: 'object', additionalProperties: true },
    segment: { type: 'object', additionalProperties: true },
    recipients: COUNT,
    totals: TOTALS,
    byVendor: { type: 'object', additionalProperties: COUNTS },
    errors: COUNTS,
    fallback: {
      type: 'object',
      description: 'Fallback SMS by state; empty when none was asked for.',
      properties: Object.fromEntries(FALLBACK_STATES.map((state) => [state, COUNT])),
    },
  },
};

export const PLANNED_CAMPAIGN_SCHEMA = {
  type: 'object',
  required: ['id', 'trackId', 'status', 'count'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    trackId: TEXT,
    name: NULLABLE_TEXT,
    status: { enum: ['accepted'] },
    count: COUNT,
    createdAt: TIME,
  },
};

export const NEW_CAMPAIGN_SCHEMA = {
  type: 'object',
  required: ['trackId'],
  properties: { trackId: { type: 'string', minLength: 1, maxLength: 255 }, name: TEXT },
};

const DELIVERY = {
  type: 'object',
  required: ['state', 'attempt'],
  properties: {
    installationId: NULLABLE_TEXT,
    userId: NULLABLE_TEXT,
    state: { enum: [...DELIVERY_STATES] },
    vendor: NULLABLE_TEXT,
    vendorMessageId: NULLABLE_TEXT,
    error: NULLABLE_TEXT,
    reason: NULLABLE_TEXT,
    attempt: COUNT,
    promoCode: NULLABLE_TEXT,
    createdAt: TIME,
    sentAt: NULLABLE_TIME,
    deliveredAt: NULLABLE_TIME,
    shownAt: NULLABLE_TIME,
    openedAt: NULLABLE_TIME,
    dismissedAt: NULLABLE_TIME,
    updatedAt: TIME,
  },
};

const FALLBACK = {
  type: 'object',
  required: ['userId', 'state', 'attempt', 'dueAt'],
  properties: {
    userId: TEXT,
    state: { enum: [...FALLBACK_STATES] },
    phone: NULLABLE_TEXT,
    provider: NULLABLE_TEXT,
    providerMessageId: NULLABLE_TEXT,
    error: NULLABLE_TEXT,
    reason: NULLABLE_TEXT,
    attempt: COUNT,
    resent: { ...COUNT, description: 'How often it was sent again although the provider may have taken it' },
    dueAt: TIME,
    attemptedAt: NULLABLE_TIME,
    sentAt: NULLABLE_TIME,
    endedAt: NULLABLE_TIME,
    updatedAt: TIME,
  },
};

export const SMS_REPORT_SCHEMA = {
  type: 'object',
  required: ['recorded'],
  description: '`recorded` is false when the report said nothing new.',
  properties: { recorded: { type: 'boolean' } },
};

function listOf(
  name: string,
  item: object,
): { type: 'object'; required: string[]; properties: Record<string, object> } {
  return {
    type: 'object',
    required: [name, 'nextCursor'],
    properties: { [name]: { type: 'array', items: item }, nextCursor: NULLABLE_TEXT },
  };
}

export const MESSAGES_SCHEMA = listOf('messages', { type: 'object', properties: SUMMARY });
export const CAMPAIGNS_SCHEMA = listOf('campaigns', {
  anyOf: [{ type: 'object', properties: SUMMARY }, PLANNED_CAMPAIGN_SCHEMA],
});
export const DELIVERIES_SCHEMA = listOf('deliveries', DELIVERY);
export const FALLBACKS_SCHEMA = listOf('fallbacks', FALLBACK);
