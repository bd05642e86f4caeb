import type { Sample } from '../corpus-case';

const RULES = {
  target: { deviceType: 'ios', tags: ['a'] },
  segment: {
    all: [{ any: [{ name: 'tags', operator: 'include', value: ['a'] }] }],
    any: [{ name: 'launchCount', operator: 'equal_to', value: 1 }],
    none: [{ name: 'nearBy', operator: 'include', value: { lat: 35.69, lng: 51.39, radius: 20_000 } }],
  },
};
const TRACKER = {
  name: 'n',
  deepLink: 'shop://x',
  destination: 'https://x.example',
  redirect: 'https://x.example/r',
  platforms: { ios: 'https://x.example', android: 'https://x.example', web: 'https://x.example' },
  allowedHosts: ['shop.example'],
};
const TEMPLATE = {
  name: 'n',
  description: 'd',
  message: { content: '{{ variables.a }}', notification: { title: 't', clickUrl: 'shop://x' }, data: { x: 1 } },
  variables: [{ name: 'a', required: true, default: 'x', description: 'd' }],
};
const WEBHOOK = { url: 'https://hooks.example/x', events: ['message.done'], isEnabled: true };
const SECRET = { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };

/** Segments, links, webhooks, campaigns and promo sets. */
export const KEEPING: Sample[] = [
  { operation: 'POST /api/segments', url: '/segments', name: 'a segment', body: { name: 'n', ...RULES } },
  {
    operation: 'PUT /api/segments/{id}',
    url: '/segments/<segment>',
    name: 'a segment',
    body: { name: 'n', ...RULES },
    every: 2,
  },
  {
    operation: 'POST /api/segments/count',
    url: '/segments/count',
    name: 'a group',
    body: { ...RULES, channel: 'sport', users: true },
  },
  {
    operation: 'POST /api/segments/explain',
    url: '/segments/explain',
    name: 'a group',
    body: { ...RULES, channel: 'sport', userId: 'ada' },
  },
  {
    operation: 'POST /api/segments/explain',
    url: '/segments/explain',
    name: 'a device',
    body: { target: { deviceType: 'ios' }, installationId: '<installation>' },
  },
  {
    operation: 'POST /api/segments/export',
    url: '/segments/export',
    name: 'a group',
    body: { ...RULES, channel: 'sport' },
    every: 2,
  },
  { operation: 'POST /api/drafts', url: '/drafts', name: 'a draft', body: { name: 'n', message: { content: 'x' } } },
  {
    operation: 'PUT /api/drafts/{id}',
    url: '/drafts/<draft>',
    name: 'a draft',
    body: { name: 'n', message: { content: 'x' }, revision: 1 },
    every: 2,
  },
  {
    operation: 'POST /api/drafts/{id}/duplicate',
    url: '/drafts/<draft>/duplicate',
    name: 'a name',
    body: { name: 'n' },
  },
  { operation: 'POST /api/templates', url: '/templates', name: 'a template', body: TEMPLATE },
  {
    operation: 'PUT /api/templates/{id}',
    url: '/templates/<template>',
    name: 'a template',
    body: { ...TEMPLATE, version: 1 },
    every: 3,
  },
  {
    operation: 'POST /api/templates/{id}/restore',
    url: '/templates/<template>/restore',
    name: 'a version',
    body: { version: 1 },
  },
  { operation: 'POST /api/trackers', url: '/trackers', name: 'a tracker', body: TRACKER },
  { operation: 'PATCH /api/trackers/{id}', url: '/trackers/<tracker>', name: 'a tracker', body: TRACKER },
  { operation: 'POST /api/webhooks', url: '/webhooks', name: 'a webhook', body: { ...WEBHOOK, ...SECRET } },
  { operation: 'PATCH /api/webhooks/{id}', url: '/webhooks/<webhook>', name: 'a webhook', body: WEBHOOK },
  {
    operation: 'POST /api/webhooks/{id}/rotate-secret',
    url: '/webhooks/<webhook>/rotate-secret',
    name: 'a secret',
    body: SECRET,
  },
  {
    operation: 'POST /api/push/campaigns',
    url: '/push/campaigns',
    name: 'a campaign',
    body: { trackId: 'other', name: 'n' },
  },
  { operation: 'PUT /api/promo/sets/{id}', url: '/promo/sets/<promoSet>', name: 'a limit', body: { lowStockAt: 5 } },
];
