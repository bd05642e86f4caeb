import { INSTALLATION_SCHEMA } from '../installations/installation.schema';

/** JSON schemas of the user endpoints, for the API document. */
const NAME = { type: 'string', minLength: 1, maxLength: 255 };
const COUNT = { type: 'integer', minimum: 0 };
const TAGS = { type: 'array', items: NAME };
const OBJECTS = { type: 'array', items: { type: 'object', additionalProperties: true } };

export const USERS_SCHEMA = {
  type: 'object',
  required: ['users', 'nextCursor'],
  properties: {
    users: {
      type: 'array',
      items: {
        type: 'object',
        properties: { userId: NAME, tags: TAGS, devices: COUNT, createdAt: { type: 'string', format: 'date-time' } },
      },
    },
    nextCursor: { type: ['string', 'null'] },
  },
};

const USER = {
  userId: NAME,
  tags: TAGS,
  tagValues: { type: 'object', additionalProperties: { type: 'string' } },
  attributes: { type: 'object', additionalProperties: true },
};

export const USER_SCHEMA = {
  type: 'object',
  required: ['userId', 'tags', 'attributes', 'devices'],
  properties: { ...USER, devices: { type: 'array', items: INSTALLATION_SCHEMA } },
};

export const USER_EXPORT_SCHEMA = {
  type: 'object',
  properties: { ...USER, installations: OBJECTS, messages: OBJECTS, openedLinks: OBJECTS },
};

export const ERASURE_SCHEMA = {
  type: 'object',
  required: ['devices', 'messages', 'deliveries', 'links'],
  properties: { devices: COUNT, messages: COUNT, deliveries: COUNT, links: COUNT },
};
