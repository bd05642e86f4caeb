/** A number as JSON text that JavaScript would write in another way. */
const rawNumber = (text: string): string => `<raw ${text}>`;

/** Values for a place, each with its name in the name of a case. */
export type NamedValue = readonly [name: string, value: unknown];

const long = (length: number): NamedValue => [`x * ${length}`, 'x'.repeat(length)];
const plain = (values: readonly unknown[]): NamedValue[] => values.map((value) => [JSON.stringify(value), value]);

const ANYWHERE: NamedValue[] = [['absent', undefined], ...plain([null, 1, 'x', '', true, [], {}, ['a'], { a: 1 }])];
const TEXTS: NamedValue[] = [
  ...[255, 256, 4_097, 20_001].map(long),
  ...plain([
    'e\u0301',
    '\u00e9',
    'a\u0000b',
    'a\u0007b',
    '\ud800',
    ' x ',
    ' ',
    '0',
    '*',
    '{{ user.name',
    '{{ promoCode }}',
  ]),
  ['emoji * 256', '\u{1f600}'.repeat(256)],
];
const NUMBERS: NamedValue[] = [
  ...plain([-1, 0, 0.5, 2 ** 31, 2 ** 53, '5', '1.5', '-1', '1e3', '+1', ' 5', '0x10', '\u0665', false]),
  ...['1e2', '1.0', '-0', '1e400', '9007199254740993', '1E-2'].map((text): NamedValue => [text, rawNumber(text)]),
];
const BOOLEANS: NamedValue[] = plain([
  true,
  false,
  0,
  1,
  'true',
  'false',
  '1',
  '0',
  2,
  -1,
  'TRUE',
  'yes',
  'on',
  ' true',
  0.5,
]);
const LISTS: NamedValue[] = [
  ...plain([
    [null],
    [1],
    [''],
    [{}],
    [['a']],
    ['a', 'a'],
    ['a', null],
    'a,b',
    { 0: 'a' },
    ['x'.repeat(256)],
    ['a\u0000b'],
  ]),
  ...[21, 101, 501, 1_001].map((length): NamedValue => [
    `${length} elements`,
    Array.from({ length }, (_, at) => `e${at}`),
  ]),
];
const OBJECTS: NamedValue[] = [
  ...plain([[{}], { constructor: 'x' }, { constructor: {} }, { nonsense: 1 }, { '': 1 }, { 'a\u0000b': 1 }]),
  ['__proto__ inside', JSON.parse('{"__proto__":{"admin":true}}')],
  ...[10, 60, 600].map((depth): NamedValue => [`${depth} deep`, { deep: nested(depth) }]),
];
const LINKS: NamedValue[] = plain([
  ...[
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc',
  ],
  ...[
    'http://127.0.0.1/',
    'https://10.0.0.1/',
    'https://[::1]/',
    'https://u:p@x.example/',
    'https://x.example/#f',
    'ftp://x.example/',
  ],
  ...['https://', '//x.example', 'shop://x', 'https://x.example/\u0000', 'https://x.example/{{ user.id }}'],
]);
const IS_LINK = /url|uri|link|icon|destination|redirect|endpoint|^(ios|android|web|badge|image)$/i;

/** Values at the limits, by the name of the field. */
const BOUNDS: Record<string, readonly unknown[]> = {
  ttl: [2_419_200, 2_419_201, '2419200', '2419201'],
  rate: [1, 1_000_000, 1_000_001, '1000000'],
  delay: [86_400, 86_401, '86400'],
  options: [7, 8, '7', '8'],
  deferredLinkMinutes: [43_200, 43_201, '43200'],
  conversionWindowHours: [720, 721, '720'],
  devicesPerSecond: [1_000_000, 1_000_001],
  requestsPerSecond: [2 ** 31 - 1, 1_000_001],
  lat: [90, -90, 90.1, -90.1, '35.6'],
  lng: [180, -180, 180.1, -180.1, '51.3'],
  ledColor: ['#fff', '#FFFFFF', '#ffffff80', '#ffff', '#12345', 'red', '#ggg', 'fff'],
  channel: [
    'public/sport',
    'private/sport',
    'a b',
    'a/b',
    '/',
    'public/',
    'x'.repeat(128),
    'x'.repeat(129),
    'sport+',
    '\u0441\u043f\u043e\u0440\u0442',
  ],
  sendAt: [
    '<tomorrow>',
    '<tomorrow local>',
    '2020-01-01T00:00:00Z',
    '9999-01-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-11-22',
    'soon',
    '<tomorrow local>+14:01',
  ],
  media: ['sms', 'SMS', 'mail'],
  policy: ['NOTIFICATION_SHOWN', 'notification_shown', 'DELIVERED'],
  deviceType: ['ios', 'android', 'web', 'iOS', 'windows', 'ANDROID'],
  pushType: ['fcm', 'apns', 'hms', 'webpush', 'FCM', 'sms'],
  tokenStatus: ['ALLOWED', 'DENIED', 'allowed'],
  clientTags: ['own', 'any', 'none', 'OWN'],
  promoExhausted: ['send_without', 'skip', 'stop'],
  defaultRegion: ['NL', 'nl', 'IR', 'XX', 'NLD'],
  timeZone: ['UTC', 'Europe/Amsterdam', 'Mars/Olympus', 'device', '+03:30'],
  defaultTimeZone: ['UTC', 'Europe/Amsterdam', 'Mars/Olympus', 'device'],
  locale: ['fa', 'en-US', 'en_US', 'not a locale'],
  start: ['00:00', '23:59', '24:00', '9:00', '22:60', '08:00'],
  end: ['00:00', '23:59', '24:00', '22:00'],
  applies: ['campaigns', 'all', 'some'],
  scopes: [['send', 'send'], ['send', 'nothing'], ['SEND'], ['send', 'tags', 'promo', 'devices', 'read', 'server']],
  events: [['message.done', 'message.done'], ['nothing'], ['webhook.test'], ['delivery.failed', 'token.removed']],
  secret: [
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'whsec_',
    'whsec_!!',
    'whsec_YQ==',
    'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  ],
  id: ['a', '-a', 'a_b', 'a b', 'x'.repeat(63), 'x'.repeat(64)],
  type: [1, 2, 3, 4, '1'],
  actionType: ['SHOWN', 'OPENED', 'ACTION_TAKEN', 'shown', 'NOTHING'],
  launchTime: [1_700_000_000_000, '2026-11-22T09:00:00Z', '1700000000000', '2026-13-01', 'x', 8.64e15, 8.64e15 + 1],
  installDate: [1_700_000_000_000, '2026-11-22', 'yesterday', -1],
  createdAt: [1_700_000_000_000, '2026-11-22T09:00:00Z', 'yesterday'],
  environment: ['production', 'sandbox', 'Production'],
  provider: ['twilio', 'kavenegar', 'http', 'other'],
  onUnknown: ['leave', 'resend', 'never'],
  method: ['POST', 'PUT', 'PATCH', 'GET', 'DELETE', 'post'],
  successStatus: [200, [200, 202], '200', [], 99, 600, ['200'], 200.5],
  allowedHosts: [['shop.example'], ['*.shop.example'], ['https://shop.example'], ['shop.example:80'], ['.']],
  linkHosts: [['shop.example'], ['*.shop.example'], ['https://shop.example'], ['a b']],
  linkSchemes: [['shop'], ['javascript'], ['Shop'], ['https'], ['1a'], ['shop://']],
  value: ['x', 5, ['a'], '6h', true],
  operation: ['addToArray', 'removeFromArray', 'unset', 'set'],
  installationId: ['<installation>', '<other>', '01932C5E-7F7A-7C3E-8A3B-000000000001', 'not-a-uuid'],
};

/** Values to put in place of the good `value` in the field `name`. */
export function wrongValues(name: string, value: unknown): NamedValue[] {
  const own = BOUNDS[name] ? plain(BOUNDS[name]) : [];
  const values = [...ANYWHERE, ...own, ...ofKind(name, value)];
  const names = new Set<string>();
  return values.filter(([valueName]) => !names.has(valueName) && names.add(valueName));
}

function ofKind(name: string, value: unknown): NamedValue[] {
  if (typeof value === 'boolean') return BOOLEANS;
  if (typeof value === 'number') return [...NUMBERS, ...BOOLEANS.slice(4, 6)];
  if (Array.isArray(value)) return LISTS;
  if (typeof value === 'object') return OBJECTS;
  return IS_LINK.test(name) ? [...TEXTS, ...LINKS] : TEXTS;
}

/** Nested objects of this depth. */
function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = { in: value };
  return value;
}
