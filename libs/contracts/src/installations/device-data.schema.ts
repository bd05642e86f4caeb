/** JSON schemas of what devices and backends tell about users, for the API document. */
const NAME = { type: 'string', minLength: 1, maxLength: 255 };
const ATTRIBUTES = { type: 'object', description: 'By name; null removes', additionalProperties: true };
const NAMES = { type: 'array', items: NAME };

/** What proves a user in a body, as the header `X-User-Hash` does. */
export const USER_HASH = {
  type: 'string',
  maxLength: 1024,
  description: "HMAC-SHA256 of the user's id under the application's identity key, in hexadecimal or base64",
};

export const USER_INFO_SCHEMA = {
  type: 'object',
  required: ['installationId'],
  properties: {
    installationId: NAME,
    userHash: USER_HASH,
    data: ATTRIBUTES,
    __meta: {
      type: 'object',
      properties: {
        keys: {
          type: 'object',
          additionalProperties: {
            type: 'object',
            properties: {
              type: { enum: ['date', 'array'] },
              operation: { enum: ['unset', 'addToArray', 'removeFromArray'] },
              value: {},
            },
          },
        },
      },
    },
  },
};

export const ATTRIBUTES_SCHEMA = {
  type: 'object',
  required: ['attributes'],
  description: 'Attributes of a user, or of one installation alone',
  properties: { userId: NAME, installationId: NAME, attributes: ATTRIBUTES },
};

export const INCREMENT_SCHEMA = {
  type: 'object',
  required: ['installationId', 'attributes'],
  properties: {
    installationId: NAME,
    userHash: USER_HASH,
    attributes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['attribute', 'value'],
        properties: { attribute: NAME, value: { type: 'number' } },
      },
    },
  },
};

export const CHANNEL_MEMBERS_SCHEMA = { type: 'object', properties: { users: NAMES, installations: NAMES } };

export const DEVICE_EVENTS_SCHEMA = {
  type: 'object',
  required: ['installationId', 'userId', 'eventData'],
  properties: {
    installationId: NAME,
    userId: NAME,
    userHash: USER_HASH,
    deviceType: { type: 'string' },
    createdAt: {},
    eventData: {
      type: 'array',
      maxItems: 500,
      items: {
        type: 'object',
        required: ['type'],
        description: 'type 1: a receipt; 2: a tracked behaviour; 3: an opened link',
        properties: {
          type: { enum: [1, 2, 3] },
          actionType: { enum: ['DELIVERED', 'SHOWN', 'DISMISSED', 'OPENED', 'ACTION_TAKEN'] },
          msgId: { type: 'string', description: 'Or `trackId` alone: the latest message of that campaign' },
          trackId: { type: 'string' },
          actionId: { type: 'string', description: 'Of ACTION_TAKEN' },
          actionTs: {},
          eventName: NAME,
          data: { description: 'With `revenue`, or `isRevenue` and `value`, and `currency`: a conversion' },
          link: { type: 'string' },
        },
      },
    },
  },
};

export const ATTRIBUTES_OF_USER_SCHEMA = {
  type: 'object',
  description: "The user's attributes",
  additionalProperties: true,
};
