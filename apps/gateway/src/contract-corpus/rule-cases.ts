import type { CorpusCase } from './corpus-case';
import { caseOf } from './spoil-sample';

const FIELDS = [
  'tags',
  'tags.plan',
  'deviceType',
  'osVersion',
  'clientVersion',
  'launchCount',
  'launchTime',
  'nearBy',
  'online',
  'age',
  '',
];
const OPERATORS = [
  'equal_to',
  'not_equal',
  'greater_than',
  'include',
  'not_include',
  'before',
  'after',
  'equals',
  null,
];
const VALUES = ['x', 5, '6h', ['a'], true, '2.4', { lat: 1, lng: 2, radius: 3 }];
const TARGETS: object[] = [
  ...['deviceType', 'tags', 'launchTime', 'online', 'nearBy', 'osVersion', 'age'].flatMap((name) =>
    ['x', ['a', 'b'], 5, true, null, {}].map((value) => ({ [name]: value })),
  ),
  {},
];

/** Rules of segments: each field with each operator, and bad groups. */
export function ruleCases(): CorpusCase[] {
  const rules = FIELDS.flatMap((name) =>
    OPERATORS.map((operator, at) => ({ name, operator, value: VALUES[(at + name.length) % VALUES.length] })),
  );
  const segments: [name: string, segment: unknown][] = [
    ...rules.map((rule): [string, unknown] => [JSON.stringify(rule), { all: [rule] }]),
    ...[5, 6, 60].map((depth): [string, unknown] => [`groups ${depth} deep`, groups(depth)]),
    ...[100, 101].map((count): [string, unknown] => [
      `${count} rules`,
      { all: Array.from({ length: count }, () => TAG) },
    ]),
    ...[{ id: '<other>' }, { id: 'x' }, { id: '<segment>', all: [TAG] }, { every: [TAG] }].map(
      (segment): [string, unknown] => [JSON.stringify(segment), segment],
    ),
  ];
  const count = { operation: 'POST /api/segments/count', url: '/segments/count' };
  const query = { operation: 'POST /api/push/byQuery', url: '/push/byQuery?dryRun=true' };
  return [
    ...segments.map(([name, segment]) => caseOf({ ...count, name: 'a segment' }, name, { segment })),
    ...TARGETS.map((target) =>
      caseOf({ ...query, name: 'a target' }, JSON.stringify(target), { target, content: 'x' }),
    ),
  ];
}

const TAG = { name: 'tags', operator: 'include', value: ['a'] };

function groups(depth: number): unknown {
  let group: unknown = TAG;
  for (let level = 0; level < depth; level++) group = { all: [group] };
  return group;
}
