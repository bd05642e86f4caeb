/** JSON schemas of trackers, for the API document. */
const LINK = { type: 'string', maxLength: 4_096 };
const SETTINGS = {
  name: { type: 'string', minLength: 1, maxLength: 255 },
  deepLink: { ...LINK, nullable: true, description: 'Opened when a click names no `deep_link`' },
  destination: { ...LINK, nullable: true, description: 'The page to go to when there is no other' },
  redirect: { ...LINK, nullable: true, description: 'In place of the parameter `redirect` where a click names none' },
  platforms: {
    type: 'object',
    description: 'Pages of the stores, by platform. `{click_token}` in a link becomes the token of the click',
    properties: { ios: LINK, android: LINK, web: LINK },
  },
  allowedHosts: {
    type: 'array',
    maxItems: 100,
    items: { type: 'string' },
    description: 'Hosts that `redirect` and a web `deep_link` may lead to: `shop.example`, `*.shop.example`',
  },
};

export const NEW_TRACKER_SCHEMA = { type: 'object', required: ['name'], properties: SETTINGS };
export const TRACKER_CHANGES_SCHEMA = { type: 'object', properties: SETTINGS };

export const TRACKER_SCHEMA = {
  type: 'object',
  required: ['id', 'url', 'name'],
  properties: {
    id: { type: 'string' },
    url: { type: 'string', format: 'uri' },
    ...SETTINGS,
    createdAt: { type: 'string', format: 'date-time' },
    updatedAt: { type: 'string', format: 'date-time' },
  },
};

export const TRACKERS_SCHEMA = {
  type: 'object',
  properties: { trackers: { type: 'array', items: TRACKER_SCHEMA }, nextCursor: { type: 'string', nullable: true } },
};

const COUNTS = Object.fromEntries(
  ['clicks', 'visitors', 'installs', 'opened', 'declined'].map((name) => [name, { type: 'integer' }]),
);

export const TRACKER_STATS_SCHEMA = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    from: { type: 'string', format: 'date-time' },
    to: { type: 'string', format: 'date-time' },
    interval: { enum: ['hour', 'day'] },
    totals: { type: 'object', properties: COUNTS },
    byPlatform: { type: 'object', additionalProperties: { type: 'object', properties: COUNTS } },
    series: {
      type: 'array',
      items: { type: 'object', properties: { at: { type: 'string', format: 'date-time' }, ...COUNTS } },
    },
  },
};

export const DEFERRED_DECISION_SCHEMA = {
  type: 'object',
  required: ['installationId', 'opened'],
  properties: { installationId: { type: 'string' }, opened: { type: 'boolean' } },
};
