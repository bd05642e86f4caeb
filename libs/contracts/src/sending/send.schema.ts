/** JSON schemas and examples of the sending endpoints, for the API document. The readers beside this file decide. */

const NAME = { type: 'string', minLength: 1, maxLength: 255 };
const TEXT = { type: 'string' };
const JSON_OBJECT = { type: 'object', additionalProperties: true };

const FLAG = {
  description: 'true or false; 1, 0, "true", "false", "1" and "0" are taken too',
  oneOf: [
    { type: 'boolean' },
    { type: 'integer', enum: [0, 1] },
    { type: 'string', enum: ['true', 'false', '1', '0'] },
  ],
};

const LINK = { type: 'string', description: 'any scheme but javascript:, data:, vbscript:, file:' };

const ACTION = {
  type: 'object',
  description: 'a button; other fields are passed to the device',
  properties: {
    id: TEXT,
    title: TEXT,
    options: {
      type: 'integer',
      minimum: 0,
      maximum: 7,
      description: '1 authentication, 2 destructive, 4 foreground; iOS',
    },
    icon: TEXT,
    url: LINK,
  },
  additionalProperties: true,
};

const NOTIFICATION = {
  type: 'object',
  description: 'what the device shows; `title` is required unless `contentAvailable` stands without title and body',
  properties: {
    title: { type: 'string', minLength: 1 },
    body: TEXT,
    groupId: TEXT,
    icon: TEXT,
    sound: TEXT,
    clickUrl: LINK,
    ledColor: { type: 'string', pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$' },
    smallIcon: TEXT,
    actions: { type: 'array', items: ACTION },
    mediaType: TEXT,
    mediaUrl: TEXT,
    contentAvailable: FLAG,
    mutableContent: FLAG,
    category: TEXT,
  },
  additionalProperties: true,
};

const FALLBACK = {
  type: 'object',
  required: ['content'],
  properties: {
    content: { type: 'string', minLength: 1 },
    delay: { type: 'integer', minimum: 0, maximum: 86_400, default: 60, description: 'seconds' },
    media: { type: 'string', enum: ['sms'], default: 'sms' },
    policy: { type: 'string', enum: ['NOTIFICATION_SHOWN'] },
  },
};

const COMMON_FIELDS = {
  channel: { type: 'string', description: 'sport or public/sport; /private/alerts', default: 'public/default' },
  content: { type: 'string', minLength: 1 },
  data: { description: 'any JSON' },
  trackId: NAME,
  inApp: FLAG,
  autoNotify: FLAG,
  live: FLAG,
  useAsAlert: FLAG,
  alertText: TEXT,
  ttl: { type: 'integer', minimum: 0, maximum: 2_419_200, default: 2_419_200, description: 'seconds' },
  notification: NOTIFICATION,
  silent: FLAG,
};

const NAMED_FIELDS = { clientId: NAME, fallback: FALLBACK };

const ONE_USER = {
  title: 'One user',
  type: 'object',
  required: ['user', 'content'],
  properties: { user: { ...NAME, description: 'a user id, or * for the channel' }, ...COMMON_FIELDS, ...NAMED_FIELDS },
  additionalProperties: true,
};

const SEVERAL_USERS = {
  title: 'Several users',
  type: 'object',
  required: ['users', 'content'],
  properties: { users: { type: 'array', minItems: 1, items: NAME }, ...COMMON_FIELDS, ...NAMED_FIELDS },
  additionalProperties: true,
};

const EACH_HIS_OWN = { title: 'Each user his own', type: 'array', minItems: 1, items: ONE_USER };

const BY_QUERY = {
  title: 'A group',
  type: 'object',
  required: ['content'],
  anyOf: [{ required: ['target'] }, { required: ['segment'] }],
  properties: { target: JSON_OBJECT, segment: JSON_OBJECT, ...COMMON_FIELDS },
  additionalProperties: true,
};

const NAMED_EXAMPLES = {
  oneUser: { value: { user: 'ada', content: 'Your parcel is on its way', useAsAlert: true } },
  severalUsers: { value: { users: ['ada', 'grace'], content: 'The shop opens at nine', silent: true } },
  eachHisOwn: {
    value: [
      { user: 'ada', content: 'Order 17 is ready' },
      { user: 'grace', content: 'Order 18 is ready', notification: { title: 'Ready', clickUrl: 'shop://orders/18' } },
    ],
  },
};

const GROUP_EXAMPLES = {
  segment: {
    value: {
      content: 'We miss you',
      trackId: 'spring-2026',
      segment: { all: [{ name: 'launchTime', operator: 'before', value: '72h' }] },
    },
  },
  target: { value: { content: 'A new version is out', target: { deviceType: 'android' } } },
};

/** The body of `toUsers`. */
export const TO_USERS_BODY = {
  schema: { oneOf: [ONE_USER, SEVERAL_USERS, EACH_HIS_OWN] },
  examples: NAMED_EXAMPLES,
};

/** The body of `byQuery`. */
export const BY_QUERY_BODY = { schema: BY_QUERY, examples: GROUP_EXAMPLES };

/** The body of `notifyUsers`. */
export const NOTIFY_USERS_BODY = {
  schema: { oneOf: [ONE_USER, SEVERAL_USERS, EACH_HIS_OWN, BY_QUERY] },
  examples: { ...NAMED_EXAMPLES, ...GROUP_EXAMPLES },
};

/** What a send answers; `byVendor` and `sample` with `dryRun` only. */
export const SEND_ANSWER_SCHEMA = {
  type: 'object',
  required: ['count'],
  properties: {
    count: { type: 'integer', minimum: 0, description: 'devices that the message is sent to' },
    byVendor: { type: 'object', additionalProperties: { type: 'integer' } },
    sample: {
      type: 'array',
      items: {
        type: 'object',
        properties: { installationId: { type: 'string', format: 'uuid' }, userId: TEXT, vendor: TEXT },
      },
    },
  },
};
