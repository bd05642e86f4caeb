import type { Sample } from '../corpus-case';

const NOTIFICATION = {
  title: 't',
  body: 'b',
  groupId: 'g',
  icon: 'i',
  sound: 's',
  clickUrl: 'shop://x',
  ledColor: '#fff',
  smallIcon: 'i',
  mediaType: 'image',
  mediaUrl: 'https://x.example/x.png',
  contentAvailable: true,
  mutableContent: 1,
  category: 'c',
  badge: 'https://x.example/b.png',
  vibrate: [1],
  actions: [{ id: 'a', title: 't', options: 1, icon: 'i', url: 'https://x.example', action: 'x' }],
};
const MESSAGE = {
  content: 'x',
  data: { deep: null, list: [null] },
  trackId: 't',
  autoNotify: true,
  useAsAlert: 1,
  alertText: 'a',
  ttl: 600,
  silent: false,
  trackLinks: true,
  isTest: true,
  rate: 5,
  ignoreQuietHours: true,
};
const SCHEDULE = { sendAt: '<tomorrow local>', localTime: true, live: false, inApp: false };
const NAMED = {
  ...MESSAGE,
  clientId: 'c',
  fallback: { content: 'f', media: 'sms', delay: 1, policy: 'NOTIFICATION_SHOWN' },
};
const RULES = {
  target: { deviceType: 'android' },
  segment: {
    all: [{ any: [{ name: 'tags', operator: 'include', value: ['a'] }] }],
    none: [{ name: 'launchCount', operator: 'greater_than', value: 10 }],
  },
};

const to = (path: string): Pick<Sample, 'operation' | 'url'> => ({
  operation: `POST /api/push/${path}`,
  url: `/push/${path}${path === 'preview' ? '' : '?dryRun=true'}`,
});

/** Good sends of each kind. Most are dry runs. */
export const SENDING: Sample[] = [
  { ...to('toUsers'), name: 'one user', body: { user: 'ada', ...NAMED } },
  { ...to('toUsers'), name: 'a notification', body: { user: 'ada', content: 'x', notification: NOTIFICATION } },
  {
    ...to('toUsers'),
    name: 'languages',
    body: {
      user: 'ada',
      content: 'x',
      fallback: { content: 'f' },
      localized: {
        fa: { content: 'x', alertText: 'a', notification: { title: 't', body: 'b' }, fallback: { content: 'f' } },
        'de-AT': {},
      },
    },
  },
  {
    ...to('toUsers'),
    name: 'variants',
    body: {
      user: '*',
      content: 'x',
      trackId: 't',
      ttl: 600,
      holdout: 10,
      variants: [
        { name: 'A', weight: 1 },
        { name: 'B', weight: 2, content: 'y', alertText: 'a', notification: { title: 't' }, localized: { fa: {} } },
      ],
      winner: { metric: 'opened', after: 60, share: 20 },
    },
  },
  {
    ...to('toUsers'),
    name: 'an expected count',
    body: { user: 'ada', content: 'x', expectedCount: 1, expectedCountTolerance: 1 },
  },
  {
    ...to('toUsers'),
    name: 'a template',
    body: { user: 'ada', templateId: '<template>', templateVersion: 1, variables: { a: 'x' } },
  },
  {
    ...to('toUsers'),
    name: 'a draft',
    body: { user: 'ada', content: 'x', draftId: '<draft>', draftRevision: 1 },
    every: 2,
  },
  {
    ...to('toUsers'),
    name: 'what frequency caps look at',
    body: { user: 'ada', content: 'x', countsTowardsCap: true, ignoreFrequencyCap: true },
  },
  { ...to('toUsers'), name: 'several users', body: { users: ['ada', 'omid'], content: 'x' } },
  { ...to('toUsers'), name: 'everybody', body: { user: '*', channel: 'sport', content: 'x', ...SCHEDULE } },
  {
    ...to('toUsers'),
    name: 'a list',
    body: [
      { user: 'ada', content: 'x', ttl: 5 },
      { user: 'omid', content: 'y' },
    ],
  },
  { ...to('toUsers'), url: '/push/toUsers', name: 'sent', body: { user: 'ada', content: 'x', trackId: 't' }, every: 4 },
  { ...to('byQuery'), name: 'rules', body: { ...RULES, ...MESSAGE, channel: 'sport', ...SCHEDULE } },
  {
    ...to('byQuery'),
    name: 'a notification',
    body: { target: { tags: 'a' }, content: 'x', notification: NOTIFICATION },
    every: 3,
  },
  { ...to('byQuery'), name: 'a kept segment', body: { segment: { id: '<segment>' }, content: 'x' } },
  { ...to('byquery'), name: 'rules', body: { ...RULES, content: 'x' }, every: 6 },
  { ...to('notifyUsers'), name: 'one user', body: { user: 'ada', ...NAMED }, every: 2 },
  { ...to('notifyUsers'), name: 'rules', body: { ...RULES, ...MESSAGE, ...SCHEDULE }, every: 2 },
  {
    ...to('notifyUsers'),
    name: 'a notification',
    body: { users: ['ada'], content: 'x', notification: NOTIFICATION },
    every: 4,
  },
  { ...to('preview'), name: 'all of it', body: { users: ['ada'], ...NAMED, ...SCHEDULE, channel: 'sport' } },
  {
    ...to('preview'),
    name: 'a notification',
    body: { users: ['ada'], content: 'x', notification: NOTIFICATION },
    every: 3,
  },
];
