import { InvalidRequest } from '@postrider/domain';
import { parseRules } from './parse-rules';

/** The bad places of a request, or none. */
function problems(body: { target?: unknown; segment?: unknown }): { path: string; message: string }[] {
  try {
    parseRules(body);
    return [];
  } catch (error) {
    if (error instanceof InvalidRequest) return error.options.details ?? [];
    throw error;
  }
}

const paths = (body: { target?: unknown; segment?: unknown }): string[] => problems(body).map(({ path }) => path);
const ruled = (name: unknown, operator: unknown, value: unknown): { segment: unknown } => ({
  segment: { all: [{ name, operator, value }] },
});

describe('rules of a request', () => {
  it('are read with target and segment both holding', () => {
    const group = parseRules({
      target: { deviceType: 'ios', osVersion: ['16', '17.1'], nearBy: { lat: 35.7, lng: '51.4', radius: 1000 } },
      segment: {
        all: [{ name: 'purchase.count', operator: 'greater_than', value: 1 }],
        none: [{ any: [{ name: 'tags', operator: 'include', value: ['a'] }] }],
      },
    });
    expect(group).toEqual({
      kind: 'group',
      all: [
        {
          kind: 'group',
          all: [
            { kind: 'rule', name: 'deviceType', operator: 'equal_to', values: ['ios'] },
            { kind: 'rule', name: 'osVersion', operator: 'include', values: ['16', '17.1'] },
            { kind: 'place', operator: 'include', place: { lat: 35.7, lng: 51.4, radiusMetres: 1000 } },
          ],
        },
        {
          kind: 'group',
          all: [{ kind: 'rule', name: 'purchase.count', operator: 'greater_than', values: [1] }],
          none: [{ kind: 'group', any: [{ kind: 'rule', name: 'tags', operator: 'include', values: ['a'] }] }],
        },
      ],
    });
  });

  it('have names and text in NFC', () => {
    expect(parseRules(ruled('cafe\u0301', 'equal_to', 'e\u0301')).all).toEqual([
      { kind: 'group', all: [{ kind: 'rule', name: 'caf\u00e9', operator: 'equal_to', values: ['\u00e9'] }] },
    ]);
  });

  it('are refused with every bad place at once, in the caller’s own words', () => {
    expect(
      problems({
        target: { deviceType: 7, tags: ['a', 7] },
        segment: {
          all: [
            { name: 'launchCount', operator: 'before', value: '6h' },
            { name: 'osVersion', operator: 'equal_to', value: 9.1 },
            { name: 'tags', operator: 'include', value: 'a' },
            { name: 'x', operator: 'like', value: 'a', extra: 1 },
            { any: [{ name: 'launchTime', operator: 'after', value: '6 hours' }] },
          ],
        },
      }),
    ).toEqual([
      { path: 'target.deviceType', message: 'must be text of 1 to 255 characters' },
      { path: 'target.tags[1]', message: 'must be text of 1 to 255 characters' },
      {
        path: 'segment.all[0].operator',
        message:
          'must be one of equal_to, not_equal, lesser_than, lesser_equals, greater_than, greater_equals, include, not_include',
      },
      { path: 'segment.all[1].value', message: 'must be a version as text, like "10.0"' },
      { path: 'segment.all[2].value', message: 'must be an array of 1 to 1000 values' },
      { path: 'segment.all[3].extra', message: 'is not known in a rule: name, operator, value' },
      { path: 'segment.all[3].operator', message: expect.stringContaining('must be one of equal_to, not_equal') },
      { path: 'segment.all[4].any[0].value', message: expect.stringContaining('"6h"') },
    ]);
  });

  it.each([
    ['nothing at all', {}, ['target']],
    ['an empty target', { target: {} }, ['target']],
    ['a target that is a list', { target: [] }, ['target']],
    ['a null segment', { segment: null }, ['segment']],
    ['an empty segment', { segment: {} }, ['segment']],
    ['a segment without rules', { segment: { all: [] } }, ['segment.all']],
    ['an unknown group key', { segment: { not: [] } }, ['segment.not']],
    ['a rule that is no object', { segment: { all: ['x'] } }, ['segment.all[0]']],
    ['an empty rule', { segment: { all: [{}] } }, ['segment.all[0]']],
    [
      'a rule with nothing but a name',
      { segment: { all: [{ name: 'x' }] } },
      ['segment.all[0].operator', 'segment.all[0].value'],
    ],
    [
      'a group inside a rule',
      { segment: { all: [{ name: 'x', operator: 'equal_to', value: 1, any: [] }] } },
      ['segment.all[0].any'],
    ],
  ])('are refused when they are %s', (_, body, expected) => {
    expect(paths(body)).toEqual(expected);
  });

  it.each([
    ['x', 'equal_to', null],
    ['x', 'equal_to', { a: 1 }],
    ['x', 'equal_to', [1]],
    ['x', 'equal_to', 'a\0'],
    ['x', 'equal_to', '\ud800'],
    ['x', 'equal_to', Infinity],
    ['x', 'include', []],
    ['x', 'include', 'a'],
    ['x', 'greater_than', true],
    ['x', 'before', 6],
    ['x', 'before', 'soon'],
    ['tags.plan', 'after', '6'],
    ['tags', 'equal_to', ''],
    ['deviceType', 'equal_to', true],
    ['launchTime', 'equal_to', '6h'],
    ['launchTime', 'equal_to', 1_700_000_000_000],
    ['launchTime', 'before', '-6h'],
    ['launchTime', 'before', '6w'],
    ['launchTime', 'before', '2024-02-30'],
    ['launchCount', 'equal_to', 'many'],
    ['launchCount', 'equal_to', '1e3'],
    ['launchCount', 'equal_to', true],
    ['osVersion', 'equal_to', 'latest'],
    ['osVersion', 'equal_to', 10],
    ['nearBy', 'include', 'here'],
    ['nearBy', 'include', [35, 51]],
  ])('refuse the value of %s %s %j', (name, operator, value) => {
    expect(paths(ruled(name, operator, value))).toEqual(['segment.all[0].value']);
  });

  it.each([
    ['x', 'equal_to', null, 'must be text, a number or a boolean'],
    ['x', 'not_include', [{ a: 1 }], 'must be text, a number or a boolean'],
    ['x', 'greater_than', null, 'must be text or a number'],
    ['x', 'before', null, expect.stringMatching(/^must be hours, minutes or days/)],
    ['tags.plan', 'equal_to', {}, 'must be text, a number or a boolean'],
    ['tags', 'equal_to', null, 'must be text of 1 to 255 characters'],
    ['deviceType', 'include', [null], 'must be text of 1 to 255 characters'],
    ['osVersion', 'equal_to', {}, 'must be a version as text, like "10.0"'],
    ['launchCount', 'equal_to', null, 'must be a number'],
    ['launchTime', 'equal_to', null, expect.stringMatching(/^must be an ISO 8601 time/)],
    ['online', 'equal_to', null, 'must be true or false'],
  ])('say which values %s %s takes, and not %j', (name, operator, value, message) => {
    expect(problems(ruled(name, operator, value)).map((problem) => problem.message)).toEqual([message]);
  });

  it('hold text and arrays to their limits', () => {
    expect(paths(ruled('tags', 'equal_to', 'x'.repeat(255)))).toEqual([]);
    expect(paths(ruled('tags', 'equal_to', 'x'.repeat(256)))).toEqual(['segment.all[0].value']);
    expect(paths(ruled('x', 'include', Array(1_000).fill('a')))).toEqual([]);
    expect(paths(ruled('x', 'include', Array(1_001).fill('a')))).toEqual(['segment.all[0].value']);
    expect(paths(ruled('x'.repeat(256), 'equal_to', 'a'))).toEqual(['segment.all[0].name']);
  });

  it('name the bad element of an array and the bad part of a place', () => {
    expect(paths(ruled('x', 'include', ['a', null, 1, {}]))).toEqual([
      'segment.all[0].value[1]',
      'segment.all[0].value[3]',
    ]);
    expect(paths(ruled('nearBy', 'include', { lat: 91, lng: 0, radius: -1, unit: 'km' }))).toEqual([
      'segment.all[0].value.unit',
      'segment.all[0].value.lat',
      'segment.all[0].value.radius',
    ]);
    expect(paths(ruled('nearBy', 'not_include', [0, 181, 5]))).toEqual(['segment.all[0].value[1]']);
  });

  it.each([
    ['tags', 'greater_than'],
    ['deviceType', 'before'],
    ['osVersion', 'after'],
    ['nearBy', 'equal_to'],
    ['x', 'toString'],
    ['x', undefined],
  ])('refuse the operator %s %s', (name, operator) => {
    expect(paths(ruled(name, operator, '1'))).toContain('segment.all[0].operator');
  });

  it.each([
    undefined,
    7,
    '',
    'a\0b',
    '\udc00',
    'x'.repeat(256),
    '__proto__',
    'a.constructor.b',
    'user.prototype',
    'tags.',
  ])('refuse the name %j', (name) => {
    expect(paths(ruled(name, 'equal_to', '1'))).toEqual(['segment.all[0].name']);
  });

  it('refuse keys that poison prototypes wherever they stand', () => {
    expect(paths(JSON.parse('{"target":{"__proto__":1}}'))).toEqual(['target.__proto__']);
    expect(
      paths(
        JSON.parse('{"segment":{"__proto__":[],"all":[{"name":"x","operator":"equal_to","value":1,"constructor":1}]}}'),
      ),
    ).toEqual(['segment.__proto__', 'segment.all[0].constructor']);
    expect(paths(JSON.parse('{"target":{"nearBy":{"lat":1,"lng":1,"radius":1,"__proto__":{}}}}'))).toEqual([
      'target.nearBy.__proto__',
    ]);
  });

  it('allow five levels of groups and a hundred rules, and no more', () => {
    const rule = { name: 'x', operator: 'equal_to', value: 1 };
    const nested = (levels: number): unknown => (levels === 1 ? { all: [rule] } : { all: [nested(levels - 1)] });
    expect(paths({ segment: nested(5) })).toEqual([]);
    expect(paths({ segment: nested(6) })).toEqual(['segment.all[0].all[0].all[0].all[0].all[0]']);
    expect(paths({ segment: { all: Array(100).fill(rule) } })).toEqual([]);
    expect(paths({ segment: { all: Array(60).fill(rule), none: Array(41).fill(rule) } })).toEqual(['segment']);
  });

  it('stay quick and short in their answer to a body of nonsense', () => {
    const nonsense = { all: Array(100_000).fill({ all: Array(5).fill({}) }) };
    expect(problems({ segment: nonsense }).length).toBeLessThanOrEqual(1_000);
    expect(problems({ segment: { all: Array(100_000).fill({ name: '' }) } }).length).toBeLessThanOrEqual(1_000);
  });
});
