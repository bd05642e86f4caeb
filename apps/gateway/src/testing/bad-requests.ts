/** A request that must be refused, and the field that the refusal must name. */
export interface BadRequest {
  endpoint: 'toUsers' | 'byQuery' | 'notifyUsers';
  body: unknown;
  path: string;
}

const NO_BOOLEANS = ['yes', 'TRUE', 'True', '', ' true', 'on', 2, -1, 0.5, [], {}, [true]];
const NO_TEXTS = [1, 0, true, [], {}, ['a']];
const NO_NAMES = [...NO_TEXTS, '', 'x'.repeat(256), '𝔘'.repeat(256)];
const NO_TTLS = [-1, 2_419_201, 1.5, '1.5', 'abc', '', '1e3', ' 5', '5 ', '0x10', '-1', '+1', true, [], {}, [1]];
const NO_DELAYS = [-1, 86_401, 0.5, 'soon', '', true, [], {}];
const NO_OPTIONS = [-1, 8, 1.5, '8', 'four', '', true, [], {}];
const NO_COLORS = [
  '',
  'red',
  '#',
  '#12',
  '#1234',
  '#12345',
  '#1234567',
  '#123456789',
  '#GGG',
  'FFF',
  16711680,
  true,
  [],
];
const NO_CHANNELS = [
  '',
  '/',
  'a b',
  'a/b',
  'public/',
  'private/',
  '/public/a/b',
  'x'.repeat(129),
  'private/' + 'x'.repeat(129),
  'sport+',
  'sport/#',
  'спорт',
  1,
  true,
  [],
  {},
];
const NO_LINKS = [
  1,
  true,
  [],
  {},
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' javascript:alert(1)',
  '\tjavascript:alert(1)',
  'java\nscript:alert(1)',
  'java\tscript\r:alert(1)',
  'data:text/html,x',
  'DATA:text/html;base64,eA==',
  'vbscript:msgbox',
  'file:///etc/passwd',
  'FILE:c:/x',
];
const NO_OBJECTS = ['text', 1, true, [], [{}]];

const TEXT_FIELDS = ['body', 'groupId', 'sound', 'mediaType', 'category'];
const LOADED_FIELDS = ['clickUrl', 'mediaUrl', 'icon', 'smallIcon'];
const BROWSER_PICTURES = ['badge', 'image'];
const MESSAGE_FLAGS = ['inApp', 'autoNotify', 'live', 'useAsAlert', 'silent'];

/** Each field of a message with each value that must be refused, under its path inside the message. */
function badMessages(): [message: Record<string, unknown>, path: string][] {
  const rows: [Record<string, unknown>, string][] = [];
  const each = (values: readonly unknown[], path: string, put: (value: unknown) => Record<string, unknown>): void => {
    for (const value of values) rows.push([put(value), path]);
  };
  const notification = (field: string) => (value: unknown) => ({ notification: { title: 't', [field]: value } });
  const action = (field: string) => (value: unknown) => ({
    notification: { title: 't', actions: [{ id: 'ok' }, { [field]: value }] },
  });
  for (const flag of MESSAGE_FLAGS) each(NO_BOOLEANS, flag, (value) => ({ [flag]: value }));
  for (const flag of ['contentAvailable', 'mutableContent']) {
    each(NO_BOOLEANS, `notification.${flag}`, notification(flag));
  }
  for (const field of TEXT_FIELDS) each(NO_TEXTS, `notification.${field}`, notification(field));
  for (const field of ['id', 'title']) each(NO_TEXTS, `notification.actions[1].${field}`, action(field));
  each(NO_TEXTS, 'alertText', (alertText) => ({ alertText }));
  each([null, ...NO_TEXTS, ''], 'content', (content) => ({ content }));
  each([null, ...NO_TEXTS, ''], 'notification.title', (title) => ({ notification: { title } }));
  each(NO_NAMES, 'trackId', (trackId) => ({ trackId }));
  each(NO_TTLS, 'ttl', (ttl) => ({ ttl }));
  each(NO_CHANNELS, 'channel', (channel) => ({ channel }));
  for (const field of LOADED_FIELDS) each(NO_LINKS, `notification.${field}`, notification(field));
  for (const field of BROWSER_PICTURES) {
    const links = NO_LINKS.filter((link) => typeof link === 'string');
    each(links, `notification.${field}`, notification(field));
  }
  for (const field of ['url', 'icon']) each(NO_LINKS, `notification.actions[1].${field}`, action(field));
  each(NO_OPTIONS, 'notification.actions[1].options', action('options'));
  each(NO_COLORS, 'notification.ledColor', notification('ledColor'));
  each(NO_OBJECTS, 'notification', (value) => ({ notification: value }));
  each(['ok', 1, {}, true], 'notification.actions', notification('actions'));
  each([null, ...NO_OBJECTS], 'notification.actions[0]', (value) => ({
    notification: { title: 't', actions: [value] },
  }));
  rows.push([{ notification: {} }, 'notification.title']);
  rows.push([{ notification: { body: 'b' } }, 'notification.title']);
  rows.push([{ notification: { body: 'b', contentAvailable: 1 } }, 'notification.title']);
  rows.push([{ content: undefined }, 'content']);
  rows.push([{ content: undefined, notification: { title: 't', contentAvailable: 1 } }, 'content']);
  for (const key of ['__proto__', 'constructor', 'prototype']) {
    rows.push(
      [poisoned(key), `data.deep.${key}`],
      [{ [key === '__proto__' ? 'x' : key]: 1, ...poisonedTop(key) }, key],
    );
  }
  return rows;
}

function poisoned(key: string): Record<string, unknown> {
  return { data: { deep: JSON.parse(`{"${key}":{"admin":true}}`) as unknown } };
}

function poisonedTop(key: string): Record<string, unknown> {
  return JSON.parse(`{"${key}":1}`) as Record<string, unknown>;
}

/** Bad values of fields that only messages to named users have. */
function badNamedMessages(): [message: Record<string, unknown>, path: string][] {
  const fallback = (field: string, values: readonly unknown[]): [Record<string, unknown>, string][] =>
    values.map((value) => [{ fallback: { content: 'sms', [field]: value } }, `fallback.${field}`]);
  return [
    ...NO_NAMES.map((clientId): [Record<string, unknown>, string] => [{ clientId }, 'clientId']),
    ...NO_OBJECTS.map((value): [Record<string, unknown>, string] => [{ fallback: value }, 'fallback']),
    ...fallback('content', [null, ...NO_TEXTS, '']),
    ...fallback('media', ['', 'SMS', 'mail', 1, true, []]),
    ...fallback('delay', NO_DELAYS),
    ...fallback('policy', ['', 'DELIVERED', 1, true]),
    [{ fallback: {} }, 'fallback.content'],
    [{ fallback: { delay: 5 } }, 'fallback.content'],
    [{ target: { deviceType: 'ios' } }, 'target'],
    [{ segment: { all: [{ name: 'tags', operator: 'include', value: ['a'] }] } }, 'segment'],
  ];
}

/** Merges onto a copy in which an own `__proto__` key stays a key, as in a parsed request. */
function merged(base: object, changes: Record<string, unknown>): Record<string, unknown> {
  const result = Object.assign(Object.create(null) as Record<string, unknown>, base);
  for (const key of Object.keys(changes)) {
    Object.defineProperty(result, key, { value: changes[key], enumerable: true, configurable: true });
  }
  return result;
}

const USER = { user: 'ada', content: 'Hello' };
const GROUP = { target: { deviceType: 'android' }, content: 'Hello' };

function badUsers(): [body: unknown, path: string][] {
  return [
    [{ content: 'Hello' }, 'user'],
    ...[null, ...NO_NAMES].map((user): [unknown, string] => [{ user, content: 'Hello' }, 'user']),
    ...['ada', 1, true, {}, []].map((users): [unknown, string] => [{ users, content: 'Hello' }, 'users']),
    ...[null, ...NO_NAMES, '*'].map((name): [unknown, string] => [
      { users: ['ada', name], content: 'Hello' },
      'users[1]',
    ]),
    [{ user: 'ada', users: ['grace'], content: 'Hello' }, 'user'],
    [{ user: '*', content: 'Hello', fallback: { content: 'sms' } }, 'fallback'],
  ];
}

function badArrays(): [body: unknown, path: string][] {
  return [
    [[], ''],
    ...[null, 'text', 1, true, []].map((element): [unknown, string] => [[USER, element], '[1]']),
    [[USER, { user: 'ada' }], '[1].content'],
    [[USER, { content: 'Hello' }], '[1].user'],
    [[USER, USER, { users: ['ada'], content: 'Hello' }], '[2].users'],
    [[USER, { ...USER, notification: { body: 'b' } }], '[1].notification.title'],
    [[{ ...USER, ttl: 'soon' }, USER], '[0].ttl'],
    [[USER, { ...USER, channel: 'a b' }], '[1].channel'],
    [
      [USER, { ...USER, notification: { title: 't', actions: [{ options: 9 }] } }],
      '[1].notification.actions[0].options',
    ],
    [[{ user: '*', content: 'Hello', fallback: { content: 'sms' } }], '[0].fallback'],
  ];
}

function badGroups(): [body: unknown, path: string][] {
  return [
    [{ content: 'Hello' }, 'target'],
    [{ content: 'Hello', target: {} }, 'target'],
    [{ content: 'Hello', segment: {} }, 'segment'],
    ...['text', 1, true, []].map((target): [unknown, string] => [{ content: 'Hello', target }, 'target']),
    ...['text', 1, true, []].map((segment): [unknown, string] => [{ content: 'Hello', segment }, 'segment']),
    [{ ...GROUP, user: 'ada' }, 'user'],
    [{ ...GROUP, user: '*' }, 'user'],
    [{ ...GROUP, users: ['ada'] }, 'users'],
    [{ ...GROUP, fallback: { content: 'sms' } }, 'fallback'],
    [{ ...GROUP, clientId: 'c' }, 'clientId'],
  ];
}

/** Rules that the segment language refuses. */
function badRules(): [body: unknown, path: string][] {
  const rule = (name: string, operator: unknown, value: unknown): unknown => ({
    content: 'Hello',
    segment: {
      all: [
        { name: 'tags', operator: 'include', value: ['a'] },
        { name, operator, value },
      ],
    },
  });
  return [
    [{ content: 'Hello', segment: { all: [] } }, 'segment.all'],
    [{ content: 'Hello', segment: { all: {} } }, 'segment.all'],
    [{ content: 'Hello', segment: { every: [] } }, 'segment.every'],
    [rule('launchCount', 'equals', 1), 'segment.all[1].operator'],
    [rule('launchCount', null, 1), 'segment.all[1].operator'],
    [rule('launchTime', 'after', '6'), 'segment.all[1].value'],
    [rule('launchTime', 'after', 'h6'), 'segment.all[1].value'],
    [rule('launchTime', 'before', '-6h'), 'segment.all[1].value'],
    [rule('launchTime', 'after', 6), 'segment.all[1].value'],
    [rule('tags', 'include', 'a'), 'segment.all[1].value'],
    [rule('tags', 'include', []), 'segment.all[1].value'],
    [rule('tags', 'greater_than', 'a'), 'segment.all[1].operator'],
    [rule('deviceType', 'before', '6h'), 'segment.all[1].operator'],
    [rule('osVersion', 'greater_than', 9.1), 'segment.all[1].value'],
    [rule('osVersion', 'greater_than', 'new'), 'segment.all[1].value'],
    [{ content: 'Hello', target: { launchTime: { after: '6h' } } }, 'target.launchTime'],
  ];
}

/** Bad values of the field for vendor push. */
const NOT_BY_VENDOR: [body: unknown, path: string][] = [true, 'true', 1, '1'].flatMap((value) =>
  ['live', 'inApp'].flatMap((flag): [unknown, string][] => [
    [{ ...USER, [flag]: value }, flag],
    [{ ...GROUP, [flag]: value }, flag],
    [[USER, { ...USER, [flag]: value }], `[1].${flag}`],
  ]),
);

/** Every bad request, each with the field for which it must be refused. */
export function badRequests(): BadRequest[] {
  const messages = badMessages();
  const named = badNamedMessages();
  const to = (endpoint: BadRequest['endpoint'], rows: [unknown, string][]): BadRequest[] =>
    rows.map(([body, path]) => ({ endpoint, body, path }));
  const onto = (base: object, rows: [Record<string, unknown>, string][]): [unknown, string][] =>
    rows.map(([changes, path]) => [merged(base, changes), path]);
  const noBodies: [unknown, string][] = [null, 'text', 1, true].map((body) => [body, '']);
  return [
    ...to('toUsers', [...onto(USER, messages), ...onto(USER, named), ...badUsers(), ...badArrays(), ...noBodies]),
    ...to('byQuery', [
      ...onto(GROUP, messages),
      ...badGroups(),
      ...badRules(),
      ...noBodies,
      [[GROUP], ''],
      [{ content: 'Hello', target: null }, 'target'],
    ]),
    ...to('notifyUsers', [
      ...NOT_BY_VENDOR,
      ...onto(USER, named.slice(0, -2)),
      ...badUsers(),
      ...badGroups().slice(1),
      ...badArrays(),
      ...noBodies,
    ]),
  ];
}
