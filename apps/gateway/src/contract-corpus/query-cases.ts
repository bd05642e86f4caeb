import type { CorpusCase } from './corpus-case';

/** Operations with query parameters: the rest of the request, and the names of the parameters. */
const QUERIES: [operation: string, url: string, names: string, body?: string][] = [
  ['POST /api/push/toUsers', '/push/toUsers', 'dryRun', '{"user":"ada","content":"x"}'],
  ['POST /api/push/byQuery', '/push/byQuery', 'dryRun', '{"target":{"tags":"a"},"content":"x"}'],
  ['POST /api/push/notifyUsers', '/push/notifyUsers', 'dryRun', '{"user":"ada","content":"x"}'],
  ['GET /api/installations', '/installations', 'filter userHash'],
  ['GET /api/installations/{id}', '/installations/<installation>', 'userHash'],
  [
    'POST /api/installations/addTags',
    '/installations/addTags',
    'installationId userHash',
    '{"userId":"ada","tags":["a"]}',
  ],
  ['POST /api/installations/bulk/tags', '/installations/bulk/tags', 'operation', 'ada,gold\n'],
  ['GET /api/channels', '/channels', 'cursor limit'],
  ['GET /api/channels/{channel}/members', '/channels/sport/members', 'cursor limit'],
  ['GET /api/push/messages', '/push/messages', 'trackId clientId userId batchId cursor limit'],
  ['GET /api/push/campaigns', '/push/campaigns', 'trackId clientId userId batchId cursor limit'],
  ['GET /api/push/messages/{id}/deliveries', '/push/messages/<message>/deliveries', 'cursor limit state'],
  ['GET /api/push/messages/{id}/fallbacks', '/push/messages/<message>/fallbacks', 'cursor limit state'],
  ['GET /api/push/messages/{id}/devices', '/push/messages/<message>/devices', 'userId'],
  ['GET /api/push/messages/{id}/stats', '/push/messages/<message>/stats', 'from to interval format'],
  ['GET /api/push/messages/{id}/stats/{list}', '/push/messages/<message>/stats/links', 'from to cursor limit'],
  ['GET /api/push/campaigns/{id}/stats', '/push/campaigns/<message>/stats', 'from to interval format'],
  ['GET /api/push/campaigns/{id}/stats/{list}', '/push/campaigns/<message>/stats/actions', 'from to cursor limit'],
  ['GET /api/push/overview', '/push/overview', 'since'],
  ['GET /api/segments', '/segments', 'cursor limit'],
  ['GET /api/drafts', '/drafts', 'cursor limit'],
  ['GET /api/templates', '/templates', 'cursor limit'],
  ['GET /api/templates/{id}', '/templates/<template>', 'version'],
  ['GET /api/templates/{id}/versions', '/templates/<template>/versions', 'cursor limit'],
  ['GET /api/segments/{id}/sizes', '/segments/<segment>/sizes', 'from to'],
  ['GET /api/users', '/users', 'prefix cursor limit'],
  ['GET /api/users/{userId}/deliveries', '/users/ada/deliveries', 'cursor limit'],
  ['GET /api/promo/sets', '/promo/sets', 'trackId cursor limit inForce'],
  ['GET /api/promo/sets/{id}/assignments', '/promo/sets/<promoSet>/assignments', 'user message cursor limit'],
  ['GET /api/promo/sets/{id}/assignments/export', '/promo/sets/<promoSet>/assignments/export', 'user message'],
  ['GET /api/trackers', '/trackers', 'cursor limit'],
  ['GET /api/trackers/{id}/stats', '/trackers/<tracker>/stats', 'from to interval'],
  ['GET /api/installations/{id}/inbox', '/installations/<installation>/inbox', 'cursor limit userHash'],
  ['GET /api/webhooks/{id}/deliveries', '/webhooks/<webhook>/deliveries', 'state cursor limit'],
  ['GET /api/admin/apps/{id}/opted-out-numbers', '/admin/apps/<case>/opted-out-numbers', 'cursor limit'],
];

const ALWAYS = [
  '',
  'x',
  '0',
  '%20',
  '%00',
  '%ED%A0%80',
  '%F0%9F%98%80',
  'e%CC%81',
  'x'.repeat(255),
  'x'.repeat(256),
  '<other>',
  '-1',
  'null',
];
const MOMENTS = [
  '<last hour>',
  '<half past>',
  '<yesterday>',
  '2026-02-30',
  '1700000000000',
  '0001-01-01',
  '9999-12-31T23:00:00Z',
];
const NUMBERS = [
  '1',
  '1.5',
  '1e1',
  '%2B5',
  '%205',
  '0x10',
  '%D9%A5',
  '50',
  '100',
  '101',
  '200',
  '201',
  '500',
  '501',
  '1000',
  '1001',
  '99999999999999999999',
];
const BOOLEANS = ['true', 'false', '1', 'TRUE', 'yes'];
const OF_NAME: Record<string, readonly string[]> = {
  limit: NUMBERS,
  cursor: ['0', '10', '1000000000', 'eyJhIjoxfQ', 'ada', '<message>'],
  from: MOMENTS,
  to: MOMENTS,
  since: [...MOMENTS, '24h'],
  interval: ['hour', 'day', 'week'],
  format: ['json', 'csv', 'xml'],
  state: ['pending', 'sent', 'failed', 'waiting', 'delivered', 'PENDING', 'sent,failed'],
  dryRun: BOOLEANS,
  inForce: BOOLEANS,
  operation: ['add', 'remove', 'set', 'ADD'],
  installationId: ['<installation>'],
  filter: [
    ...[
      '{"where":{"userId":"ada"}}',
      '{"where":{"id":{"inq":["<installation>"]}}}',
      '{"where":{}}',
      '{',
      '[]',
      'null',
      '{"limit":1}',
    ],
    ...['{"where":{"id":{"inq":["x"]}}}', '{"where":{"id":{"inq":[]}}}', '{"where":{"id":"<installation>"}}'],
  ].map((text) => encodeURIComponent(text).replaceAll('%3C', '<').replaceAll('%3E', '>')),
};

/** Each parameter with values of its own and with values that are wrong for all; and malformed queries. */
export function queryCases(): CorpusCase[] {
  return QUERIES.flatMap(([operation, url, names, body]) => {
    const headers = operation.endsWith('/bulk/tags') ? { 'content-type': 'text/csv' } : undefined;
    const query = (text: string): CorpusCase => ({
      operation,
      name: `query: ${text.length > 80 ? `${text.slice(0, 40)}… of ${text.length} characters` : text}`,
      url: `${url}?${text}`,
      ...(body === undefined ? {} : { body }),
      ...(headers ? { headers } : {}),
    });
    const fields = names.split(' ');
    const values = fields.flatMap((name) =>
      [...new Set([...(OF_NAME[name] ?? []), ...ALWAYS])].map((value) => query(`${name}=${value}`)),
    );
    const first = fields[0] as string;
    const strange = [
      `${first}=1&${first}=1`,
      `${first}[]=1`,
      `${first.toUpperCase()}=1`,
      'nonsense=1',
      '__proto__=1',
      '%=%',
      '',
    ];
    return [...values, ...strange.map(query), ...together(fields).map(query)];
  });
}

/** Several bad parameters at once, and a span that ends before it begins. */
function together(fields: readonly string[]): string[] {
  const span = fields.includes('from') ? ['from=<last hour>&to=<hour before>'] : [];
  return fields.length > 1 ? [...span, fields.map((name) => `${name}=%00`).join('&')] : span;
}
