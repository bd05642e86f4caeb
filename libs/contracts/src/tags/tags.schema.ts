import { USER_HASH } from '../installations/device-data.schema';

/** JSON schemas of the tag endpoints, for the API document. */
const NAME = { type: 'string', minLength: 1, maxLength: 255 };

export const TAGS_SCHEMA = {
  type: 'object',
  required: ['userId', 'tags'],
  properties: {
    userId: NAME,
    tags: { type: 'array', minItems: 1, maxItems: 1000, items: NAME },
    installationId: { type: 'string', format: 'uuid', description: 'The device that asks, with a devices token' },
    userHash: USER_HASH,
  },
};

export const TAG_OF_USER_SCHEMA = {
  type: 'object',
  required: ['userId', 'tag'],
  properties: { userId: NAME, tag: NAME },
};

export const VALUE_TAG_SCHEMA = {
  type: 'object',
  required: ['userId', 'tag', 'value'],
  properties: { userId: NAME, tag: NAME, value: NAME },
};
