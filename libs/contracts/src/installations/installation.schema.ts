import { USER_HASH } from './device-data.schema';

/** JSON schemas of the registration endpoints, for the API document. */
const NULLABLE_TEXT = { type: ['string', 'null'] };
const TIME = {
  oneOf: [
    { type: 'string', description: 'ISO 8601' },
    { type: 'integer', description: 'epoch ms' },
  ],
};
const FLAG = { description: 'true, false, 1, 0, or one of these as text' };
const LOCATION = {
  type: ['object', 'null'],
  required: ['lat', 'lng'],
  properties: {
    lat: { type: 'number', minimum: -90, maximum: 90 },
    lng: { type: 'number', minimum: -180, maximum: 180 },
  },
};

export const REGISTRATION_SCHEMA = {
  type: 'object',
  required: ['userId'],
  description: 'The full state of the installation. Fields that are not named here are kept.',
  properties: {
    appId: { type: 'string' },
    userId: { type: 'string', minLength: 1, maxLength: 255 },
    userHash: USER_HASH,
    deviceType: { type: 'string', examples: ['android', 'ios', 'web'] },
    deviceToken: { description: 'FCM, HMS or APNs token; for web a PushSubscription as JSON text; disabled: none' },
    tokenStatus: { type: 'string', examples: ['ALLOWED', 'DENIED', 'NOT_SUPPORTED', 'ERR'] },
    pushType: { enum: ['fcm', 'apns', 'hms', 'webpush'], description: 'Default: by deviceType' },
    osVersion: { type: 'string' },
    clientVersion: { type: 'string' },
    appVersion: { type: 'string', description: 'The same as clientVersion' },
    launchCount: { type: 'integer', minimum: 0 },
    launchTime: TIME,
    installDate: TIME,
    subscriptions: { type: 'array', items: { type: 'string' }, examples: [['default', 'public/sport', 'alerts']] },
    timeZone: { type: 'string' },
    locale: { type: 'string' },
    location: LOCATION,
    realtime: FLAG,
    protected: FLAG,
    installReferrer: { type: 'string', description: 'From the Play Store: brings the link that was clicked before' },
    clickToken: { type: 'string', description: 'The token of a click, where the app has it from elsewhere' },
    userAgent: { type: 'string', description: "The browser's, for applications that match clicks by network address" },
  },
  additionalProperties: true,
};

export const DEVICE_TOKEN_SCHEMA = {
  type: 'object',
  required: ['installationId', 'userId', 'deviceToken'],
  properties: {
    installationId: { type: 'string', format: 'uuid' },
    userId: { type: 'string' },
    userHash: USER_HASH,
    deviceType: { type: 'string' },
    deviceToken: { type: 'string' },
    pushType: { enum: ['fcm', 'apns', 'hms', 'webpush'] },
    tokenStatus: { type: 'string' },
  },
};

export const INSTALLATION_SCHEMA = {
  type: 'object',
  required: ['id', 'appId', 'userId'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    appId: { type: 'string' },
    userId: { type: 'string' },
    deviceType: NULLABLE_TEXT,
    deviceToken: NULLABLE_TEXT,
    tokenStatus: NULLABLE_TEXT,
    pushType: NULLABLE_TEXT,
    osVersion: NULLABLE_TEXT,
    clientVersion: NULLABLE_TEXT,
    launchCount: { type: 'integer' },
    launchTime: { type: 'string', format: 'date-time' },
    installDate: { type: 'string', format: 'date-time' },
    tags: { type: 'array', items: { type: 'string' } },
    subscriptions: { type: 'array', items: { type: 'string' } },
    timeZone: NULLABLE_TEXT,
    locale: NULLABLE_TEXT,
    location: LOCATION,
    realtime: { type: 'boolean' },
    protected: { type: 'boolean' },
    deferredDeepLink: { type: 'string', description: 'In the answer to a first registration for which a link waited' },
    createdAt: { type: 'string', format: 'date-time' },
    updatedAt: { type: 'string', format: 'date-time' },
    userInfo: { type: 'object', additionalProperties: true },
  },
  additionalProperties: true,
};
