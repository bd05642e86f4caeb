/** JSON schemas of the segment endpoints, for the API document. */
const TEXT = { type: 'string' };
const NAME = { type: 'string', minLength: 1, maxLength: 255 };
const ID = { type: 'string', format: 'uuid' };
const TIME = { type: 'string', format: 'date-time' };
const COUNT = { type: 'integer', minimum: 0 };
const RULES = {
  target: { type: 'object', additionalProperties: true },
  segment: { type: 'object', additionalProperties: true, description: 'groups of rules: all, any, none' },
};
const EITHER = [{ required: ['target'] }, { required: ['segment'] }];

export const SEGMENT_BODY_SCHEMA = {
  type: 'object',
  required: ['name'],
  anyOf: EITHER,
  properties: { name: NAME, ...RULES },
};

export const SEGMENT_SCHEMA = {
  type: 'object',
  required: ['id', 'name', 'createdAt', 'updatedAt'],
  properties: { id: ID, name: NAME, ...RULES, createdAt: TIME, updatedAt: TIME },
};

export const SEGMENTS_SCHEMA = {
  type: 'object',
  required: ['segments', 'nextCursor'],
  properties: { segments: { type: 'array', items: SEGMENT_SCHEMA }, nextCursor: { type: ['string', 'null'] } },
};

export const GROUP_BODY_SCHEMA = {
  type: 'object',
  anyOf: EITHER,
  properties: {
    target: RULES.target,
    segment: { ...RULES.segment, description: 'groups of rules, or { "id": … } of a saved segment' },
    channel: TEXT,
  },
};

export const COUNT_GROUP_SCHEMA = {
  ...GROUP_BODY_SCHEMA,
  properties: {
    ...GROUP_BODY_SCHEMA.properties,
    users: { type: 'boolean', default: false, description: 'whether users are counted as well: slower' },
  },
};

export const EXPLAIN_GROUP_SCHEMA = {
  ...GROUP_BODY_SCHEMA,
  properties: { ...GROUP_BODY_SCHEMA.properties, userId: NAME, installationId: ID },
};

export const SEGMENT_COUNT_SCHEMA = {
  type: 'object',
  required: ['count', 'devices', 'tookMs'],
  properties: { count: COUNT, devices: COUNT, users: COUNT, tookMs: { type: 'number' } },
};

const RULE_ANSWER = {
  type: 'object',
  properties: { path: TEXT, holds: { type: 'boolean' }, why: TEXT },
};

const EXPLAINED_DEVICE = {
  type: 'object',
  properties: {
    installationId: ID,
    userId: NAME,
    isIn: { type: 'boolean' },
    isMatch: { type: 'boolean' },
    isMember: { type: 'boolean' },
    isReachable: { type: 'boolean' },
    reasons: { type: 'array', items: TEXT },
    rules: { type: 'array', items: RULE_ANSWER },
  },
};

export const SEGMENT_EXPLANATION_SCHEMA = {
  type: 'object',
  required: ['count', 'devices', 'rules', 'tookMs'],
  properties: {
    count: COUNT,
    devices: COUNT,
    rules: {
      type: 'array',
      items: { type: 'object', properties: { path: TEXT, alone: COUNT, without: COUNT, removes: COUNT } },
    },
    explained: { type: 'array', items: EXPLAINED_DEVICE },
    tookMs: { type: 'number' },
  },
};
