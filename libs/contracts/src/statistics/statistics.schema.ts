/** JSON schemas of statistics, for the API document. */
const DATE = { type: 'string', format: 'date-time' };
const INTEGER = { type: 'integer' };
const COUNTS = Object.fromEntries(
  ['delivered', 'shown', 'opened', 'dismissed', 'actions', 'links', 'clicks', 'conversions'].map((name) => [
    name,
    INTEGER,
  ]),
);
const TOTALS = { type: 'object', description: 'Devices, each counted once a message', properties: COUNTS };

const LISTS = {
  actions: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' }, devices: INTEGER } } },
  links: {
    type: 'array',
    items: { type: 'object', properties: { link: { type: 'string' }, devices: INTEGER, clicks: INTEGER } },
  },
  revenue: {
    type: 'array',
    items: {
      type: 'object',
      properties: { currency: { type: 'string', nullable: true }, conversions: INTEGER, amount: { type: 'number' } },
    },
  },
};

export const STATS_LIST_SCHEMA = {
  type: 'object',
  required: ['total', 'nextCursor'],
  properties: { ...LISTS, total: INTEGER, nextCursor: { type: 'string', nullable: true } },
};

export const STATS_SCHEMA = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    trackId: { type: 'string', nullable: true },
    messages: INTEGER,
    count: INTEGER,
    from: DATE,
    to: DATE,
    interval: { enum: ['hour', 'day'] },
    totals: TOTALS,
    ...LISTS,
    more: {
      type: 'object',
      description: 'How many more actions, links and currencies there are than are listed',
      properties: { actions: INTEGER, links: INTEGER, revenue: INTEGER },
    },
    byPlatform: { type: 'object', additionalProperties: TOTALS },
    series: { type: 'array', items: { type: 'object', properties: { at: DATE, ...COUNTS } } },
  },
};
