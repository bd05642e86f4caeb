/** JSON schemas and examples of the sending endpoints, for the API document. The readers beside this file decide. */

const NAME = { type: 'string', minLength: 1, maxLength: 255 };
const TEXT = { type: 'string' };
const DATE_TIME_OR_NULL = { type: ['string', 'null'], format: 'date-time' };
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
  title: 'Action',
  type: 'object',
  description: 'a button; other fields reach the device under `extra`',
  properties: {
    id: TEXT,
    title: TEXT,
    options: {
      type: 'integer',
      minimum: 0,
      maximum: 7,
      description: '1 authentication, 2 destructive, 4 foreground; iOS',
    },
    icon: LINK,
    url: LINK,
  },
  additionalProperties: true,
};

const NOTIFICATION = {
  title: 'Notification',
  type: 'object',
  description:
    'what the device shows; other fields reach the device under `extra`; `title` is required unless `contentAvailable` stands without title and body',
  properties: {
    title: { type: 'string', minLength: 1 },
    body: TEXT,
    groupId: TEXT,
    icon: LINK,
    sound: TEXT,
    clickUrl: LINK,
    ledColor: { type: 'string', pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$' },
    smallIcon: LINK,
    actions: { type: 'array', items: ACTION },
    mediaType: TEXT,
    mediaUrl: LINK,
    contentAvailable: FLAG,
    mutableContent: FLAG,
    category: TEXT,
  },
  anyOf: [{ required: ['title'] }, { required: ['contentAvailable'], not: { required: ['body'] } }],
  additionalProperties: true,
};

const FALLBACK = {
  title: 'Fallback',
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
  trackLinks: { ...FLAG, description: 'Web links (clickUrl, actions) count who follows them' },
  isTest: { ...FLAG, description: 'Sent to try it out: a sample stands where promo codes would, and none is taken' },
  rate: { type: 'integer', minimum: 1, maximum: 1_000_000, description: 'devices per second' },
  sendAt: {
    type: 'string',
    description: 'when to send, ISO 8601, up to 90 days ahead; with localTime without an offset',
    examples: ['2026-11-22T09:00:00+01:00', '2026-11-22T09:00:00'],
  },
  localTime: { ...FLAG, description: 'sendAt is what clocks show where each device is; campaigns only' },
  ignoreQuietHours: { ...FLAG, description: 'send in the quiet hours of the application too' },
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
    schedule: {
      type: 'array',
      description:
        'with dryRun, of a message that is scheduled, has a rate or waits for quiet hours to end: from when to when it goes out; ' +
        'null when nobody gets it, because the quiet hours outlast it',
      items: { type: 'object', properties: { firstAt: DATE_TIME_OR_NULL, lastAt: DATE_TIME_OR_NULL } },
    },
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

/** The body of `preview`. */
export const PREVIEW_BODY = {
  schema: {
    title: 'A message and the users to make it for',
    type: 'object',
    required: ['users', 'content'],
    properties: {
      users: { type: 'array', minItems: 1, maxItems: 20, items: NAME },
      target: JSON_OBJECT,
      segment: JSON_OBJECT,
      ...COMMON_FIELDS,
      ...NAMED_FIELDS,
    },
    additionalProperties: true,
  },
  examples: {
    personal: {
      value: {
        users: ['ada'],
        content: 'Hi {{ user.name | default: "there" }}, your code is {{ promoCode }}',
        notification: { title: 'Until {{ message.createdAt | date: "long_date" }}' },
      },
    },
  },
};

const PROBLEM = {
  title: 'Problem',
  type: 'object',
  required: ['code', 'message'],
  properties: { code: TEXT, message: TEXT },
};

const DEVICE_PREVIEW = {
  title: 'Device preview',
  type: 'object',
  required: ['installationId', 'deviceType', 'vendor', 'warnings'],
  properties: {
    installationId: { type: 'string', format: 'uuid' },
    deviceType: { type: ['string', 'null'] },
    vendor: { type: ['string', 'null'], description: 'the way it would be reached now' },
    problem: { ...PROBLEM, description: 'why it would get nothing' },
    title: TEXT,
    body: TEXT,
    content: TEXT,
    clickUrl: TEXT,
    actions: { type: 'array', items: ACTION },
    data: { description: 'any JSON' },
    payload: JSON_OBJECT,
    bytes: { type: 'integer' },
    limit: { type: 'integer' },
    warnings: { type: 'array', items: TEXT },
  },
};

/** What `preview` answers. */
export const PREVIEW_ANSWER_SCHEMA = {
  type: 'object',
  required: ['users'],
  properties: {
    users: {
      type: 'array',
      items: {
        type: 'object',
        required: ['userId', 'devices'],
        properties: {
          userId: TEXT,
          devices: { type: 'array', items: DEVICE_PREVIEW },
          sms: { type: 'object', properties: { text: TEXT, problem: PROBLEM } },
        },
      },
    },
  },
};
