import type { Sample } from '../corpus-case';

const REGISTRATION = {
  appId: '<case>',
  userId: 'ada',
  userHash: 'h',
  deviceType: 'android',
  deviceToken: 'token',
  tokenStatus: 'ALLOWED',
  pushType: 'fcm',
  osVersion: '9',
  browserVersion: '1',
  clientVersion: '2',
  appVersion: '3',
  launchCount: 1,
  launchTime: 1_700_000_000_000,
  installDate: 1_700_000_000_000,
  subscriptions: ['public/sport'],
  timeZone: 'Asia/Tehran',
  locale: 'fa',
  realtime: true,
  location: { lat: 1, lng: 2 },
  isGuest: true,
  isLoggedIn: false,
  registerTs: 1_700_000_000_000,
  uniqueId: 'u',
  protected: true,
  deviceModel: 'm',
  installReferrer: 'r',
  clickToken: 'c',
  userAgent: 'a',
};
const WEB_PUSH = { endpoint: 'https://push.example/x', keys: { p256dh: 'BA', auth: 'AA' } };
const EVENTS = {
  installationId: '<installation>',
  userId: 'ada',
  deviceType: 'web',
  createdAt: 1_700_000_000_000,
};

const post = (path: string): Pick<Sample, 'operation' | 'url'> => ({
  operation: `POST /api/installations${path}`,
  url: `/installations${path}`,
});
const members = (method: string): Pick<Sample, 'operation' | 'url'> => ({
  operation: `${method} /api/channels/{channel}/members`,
  url: '/channels/sport/members',
});

/** Requests of devices, and of backends about devices. */
export const DEVICES: Sample[] = [
  { ...post(''), name: 'a registration', body: { ...REGISTRATION, userHash: '<proof>' } },
  { ...post(''), name: 'a wrong proof', body: { userId: 'ada', userHash: 'h', deviceType: 'ios' }, every: 4 },
  {
    ...post(''),
    name: 'a browser',
    body: { userId: 'ada', deviceType: 'web', pushType: 'webpush', deviceToken: WEB_PUSH },
  },
  {
    operation: 'PUT /api/installations/{id}',
    url: '/installations/<installation>',
    name: 'a registration',
    body: { ...REGISTRATION, userHash: '<proof>' },
    every: 2,
  },
  {
    operation: 'PUT /api/installations/userInfo',
    url: '/installations/userInfo',
    name: 'attributes',
    body: {
      installationId: '<installation>',
      data: { age: 5 },
      __meta: { keys: { born: { type: 'date', operation: 'addToArray', value: 1 } } },
    },
  },
  { ...post('/attributes'), name: 'of a user', body: { userId: 'ada', attributes: { age: 1, born: '2026-11-22' } } },
  { ...post('/attributes'), name: 'of a device', body: { installationId: '<installation>', attributes: { age: 1 } } },
  {
    ...post('/incrementAttribute'),
    name: 'one',
    body: { installationId: '<installation>', attributes: [{ attribute: 'a', value: 1 }] },
  },
  {
    ...post('/events'),
    name: 'of a message',
    body: {
      ...EVENTS,
      eventData: [{ type: 1, actionType: 'SHOWN', msgId: '<message>', trackId: 't', actionTs: 1, actionId: 'a' }],
    },
  },
  {
    ...post('/events'),
    name: 'of its own',
    body: { ...EVENTS, eventData: [{ type: 2, eventName: 'n', data: { value: 1 }, createdAt: 1 }] },
  },
  {
    ...post('/events'),
    name: 'a link',
    body: { ...EVENTS, eventData: [{ type: 3, link: 'l', actionTs: 1, msgId: 'm', trackId: 't' }] },
  },
  {
    ...post('/updateDeviceToken'),
    name: 'a token',
    body: {
      installationId: '<installation>',
      userId: 'ada',
      deviceType: 'android',
      deviceToken: 't',
      pushType: 'fcm',
      tokenStatus: 'ALLOWED',
    },
  },
  { ...post('/deferredDeepLink'), name: 'a decision', body: { installationId: '<installation>', opened: true } },
  {
    ...post('/addTags'),
    name: 'tags',
    body: { userId: 'ada', tags: ['a', 'b'], installationId: '<installation>', userHash: 'h' },
  },
  {
    ...post('/removeTags'),
    name: 'tags',
    body: { userId: 'ada', tags: ['a', 'b'], installationId: '<installation>' },
    every: 2,
  },
  { ...post('/addValueTag'), name: 'a tag', body: { userId: 'ada', tag: 't', value: 'v' } },
  { ...post('/removeValueTag'), name: 'a tag', body: { userId: 'ada', tag: 't' } },
  { ...members('POST'), name: 'both', body: { users: ['ada'], installations: ['<installation>'] } },
  { ...members('DELETE'), name: 'both', body: { users: ['ada'], installations: ['<installation>'] }, every: 2 },
];
