import { CLIENT_TAGS } from '@postrider/domain';

/** JSON schemas of the admin API, for the API document. */
const SETTINGS = {
  name: { type: 'string', minLength: 1, maxLength: 255 },
  defaultAlertText: { type: 'string', default: 'You have a new message' },
  defaultRegion: { type: ['string', 'null'], pattern: '^[A-Z]{2}$' },
  requireUserHash: {
    type: 'boolean',
    default: false,
    description: 'Devices prove their user by userHash; those that never did get nothing until they do',
  },
  clientTags: {
    enum: [...CLIENT_TAGS],
    default: 'own',
    description: "Whose tags a devices token may edit: its own device's user's, any user's, nobody's",
  },
  protectedAttributes: {
    type: 'array',
    maxItems: 100,
    items: { type: 'string', minLength: 1, maxLength: 255 },
    default: ['phone'],
    description: 'Attributes that a device sets only with a right userHash',
  },
  promoExhausted: { enum: ['send_without', 'skip'], default: 'send_without' },
  requestsPerSecond: { type: ['integer', 'null'], minimum: 1 },
  linkHosts: {
    type: 'array',
    items: { type: 'string' },
    description: 'Hosts that tracker links may lead to (shop.example, *.shop.example); none: those that trackers name',
  },
  linkSchemes: {
    type: 'array',
    items: { type: 'string' },
    description: 'Schemes of apps that tracker links may open; none: any that is not dangerous',
  },
  matchByAddress: {
    type: 'boolean',
    default: false,
    description: 'Deferred links by network address and user agent too',
  },
  deferredLinkMinutes: { type: 'integer', minimum: 1, maximum: 43_200, default: 60 },
  conversionWindowHours: { type: 'integer', minimum: 1, maximum: 720, default: 24 },
  devicesPerSecond: { type: ['integer', 'null'], minimum: 1, maximum: 1_000_000, description: 'of all sends together' },
  quietHours: {
    type: ['object', 'null'],
    required: ['start', 'end'],
    properties: {
      start: { type: 'string', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' },
      end: { type: 'string', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' },
      timeZone: { type: 'string', default: 'device', description: 'device, or a time zone (IANA) for all' },
      applies: { enum: ['campaigns', 'all'], default: 'campaigns' },
    },
    examples: [{ start: '22:00', end: '08:00' }],
  },
  defaultTimeZone: {
    type: ['string', 'null'],
    description: 'of devices that do not say where they are; UTC when null',
  },
};
const ID = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$' };
const TIME = { type: 'string', format: 'date-time' };
const SCOPES_LIST = {
  type: 'array',
  minItems: 1,
  items: { enum: ['send', 'tags', 'promo', 'devices', 'read', 'server'] },
};

export const NEW_APPLICATION_SCHEMA = { type: 'object', required: ['id', 'name'], properties: { id: ID, ...SETTINGS } };

export const APPLICATION_CHANGES_SCHEMA = { type: 'object', properties: SETTINGS };

export const APPLICATION_SCHEMA = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: ID,
    ...SETTINGS,
    unprovedDevices: {
      type: ['integer', 'null'],
      minimum: 0,
      description:
        'Devices that have not proved their user, where one application is read; null while they are counted',
    },
    createdAt: TIME,
    updatedAt: TIME,
  },
};

export const CREATED_APPLICATION_SCHEMA = {
  type: 'object',
  required: ['id', 'name', 'tokens', 'identityKey'],
  description: 'The tokens and the identity key are shown this once.',
  properties: {
    id: ID,
    name: { type: 'string' },
    tokens: {
      type: 'object',
      required: ['server', 'client'],
      properties: { server: { type: 'string' }, client: { type: 'string' } },
    },
    identityKey: { type: 'string' },
  },
};

export const NEW_TOKEN_SCHEMA = {
  type: 'object',
  required: ['name', 'scopes'],
  properties: { name: { type: 'string' }, scopes: SCOPES_LIST },
};

export const CREATED_TOKEN_SCHEMA = {
  type: 'object',
  required: ['id', 'token'],
  properties: { id: { type: 'string', format: 'uuid' }, token: { type: 'string' } },
};

export const TOKEN_SCHEMA = {
  type: 'object',
  required: ['id', 'name', 'scopes', 'createdAt'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    name: { type: 'string' },
    scopes: SCOPES_LIST,
    createdAt: TIME,
  },
};

export const VENDOR_SCHEMA = {
  type: 'object',
  required: ['vendor'],
  description: 'The settings of the credentials; secrets never come back.',
  properties: { vendor: { enum: ['fcm', 'apns', 'hms', 'webpush', 'sms'] }, updatedAt: TIME },
  additionalProperties: true,
};

export const VENDOR_CREDENTIALS_SCHEMA = {
  type: 'object',
  description:
    'The credentials that this vendor asks for. Of `sms`: `onUnknown` (`leave` or `resend`, `leave` when left out) says what ' +
    'becomes of an SMS of which nobody can say whether the provider took it.',
  additionalProperties: true,
  examples: [
    { serviceAccount: { project_id: '…', client_email: '…', private_key: '…', token_uri: '…' } },
    { keyId: '…', teamId: '…', privateKey: '…', topic: 'com.example.app', environment: 'production' },
    { provider: 'twilio', accountSid: '…', authToken: '…', from: '+15005550006' },
    { provider: 'kavenegar', apiKey: '…', sender: '10004346', onUnknown: 'resend' },
    { provider: 'http', endpoint: 'https://sms.example.com/send', body: '{"to":"{{ to }}","text":"{{ text }}"}' },
  ],
};

export const VENDOR_CHECK_SCHEMA = {
  type: 'object',
  required: ['ok'],
  properties: { ok: { type: 'boolean' }, code: { type: 'string' }, reason: { type: 'string' } },
};
