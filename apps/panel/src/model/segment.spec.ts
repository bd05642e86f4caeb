import fc from 'fast-check';
// The oracle, for this test alone: the gateway's own reader. It is not part of the panel.
// eslint-disable-next-line @nx/enforce-module-boundaries
import { parseRules } from '@postrider/audience';
import { readRules } from './read-segment';
import {
  countRules,
  type GroupDraft,
  newGroup,
  newRule,
  replaceMember,
  type RuleDraft,
  withField,
  withValueType,
} from './segment-draft';
import { BUILT_IN_FIELDS, fieldKind, operatorsOf, takesList, VALUE_TYPES } from './segment-field';
import { saySegment } from './say-segment';
import {
  fromLocalInput,
  keyOfPath,
  readAge,
  type SegmentMember,
  toLocalInput,
  writeFinished,
  writeSegment,
} from './write-segment';

const rule = (name: string, operator: RuleDraft['operator'], ...values: string[]): RuleDraft => ({
  ...newRule(name),
  operator,
  values,
});

/** Rules that a person could have finished writing. */
const finishedRule = fc
  .tuple(
    fc.constantFrom(...BUILT_IN_FIELDS.map(({ name }) => name), 'city', 'purchase.count', 'tags.plan'),
    fc.constantFrom(...VALUE_TYPES),
    fc.nat(),
    fc.nat({ max: 3 }),
  )
  .map(([name, type, operatorAt, more]): RuleDraft => {
    const kind = fieldKind(name);
    const fresh = newRule(name);
    const valueType = kind === 'custom' || kind === 'tagValue' ? type : 'text';
    const operators = operatorsOf(name, valueType);
    const operator = operators[operatorAt % operators.length] ?? 'equal_to';
    const one = ((): string => {
      if (kind === 'time' || operator === 'before' || operator === 'after') return '2024-05-31';
      if (kind === 'count' || valueType === 'number') return '42.5';
      if (kind === 'online' || valueType === 'boolean') return 'true';
      if (kind === 'version') return '10.2';
      return valueType === 'mixed' ? '"42"' : 'gold';
    })();
    const list = valueType === 'mixed' ? ['1', '"1"', 'true'] : Array.from({ length: more + 1 }, () => one);
    return {
      ...fresh,
      operator,
      valueType,
      values: takesList(operator) ? list : [one],
      place: { lat: '35.69', lng: '51.39', radius: '2000' },
    };
  });

const { group: finishedGroup } = fc.letrec<{ group: GroupDraft; member: RuleDraft | GroupDraft }>((tie) => ({
  member: fc.oneof({ maxDepth: 2, withCrossShrink: true }, finishedRule, tie('group')),
  group: fc
    .tuple(
      fc.constantFrom('all' as const, 'any' as const, 'none' as const),
      fc.array(tie('member'), { minLength: 1, maxLength: 3 }),
    )
    .map(([mode, members]) => newGroup(mode, members)),
}));

/** True if a wire form holds, given each rule's answer: all of `all`, one of `any`, not one of `none`. */
function isMet(member: SegmentMember, answer: (rule: unknown) => boolean): boolean {
  if ('name' in member) return answer(member);
  const { all = [], any, none = [] } = member;
  const met = (one: SegmentMember): boolean => isMet(one, answer);
  return all.every(met) && (any === undefined || any.some(met)) && !none.some(met);
}

describe('a segment in the builder', () => {
  it('is written as the API takes it, any and none of an outer group as keys of their own', () => {
    const root = newGroup('all', [
      rule('clientVersion', 'greater_equals', '2.4'),
      rule('launchTime', 'before', '72h'),
      newGroup('any', [
        rule('tags', 'include', 'premium', ' trial ', ''),
        { ...rule('purchase.count', 'greater_than', '3'), valueType: 'number' },
      ]),
      newGroup('none', [{ ...newRule('nearBy'), place: { lat: '35.69', lng: '51.39', radius: '20000' } }]),
    ]);
    expect(writeSegment(root).segment).toEqual({
      all: [
        { name: 'clientVersion', operator: 'greater_equals', value: '2.4' },
        { name: 'launchTime', operator: 'before', value: '72h' },
      ],
      any: [
        { name: 'tags', operator: 'include', value: ['premium', 'trial'] },
        { name: 'purchase.count', operator: 'greater_than', value: 3 },
      ],
      none: [{ name: 'nearBy', operator: 'include', value: { lat: 35.69, lng: 51.39, radius: 20000 } }],
    });
  });

  it('is one that the segment language takes, whatever a person finished writing', () => {
    fc.assert(
      fc.property(finishedGroup, (root) => {
        const { segment, problems } = writeSegment(root);
        if (countRules(root) > 100) return;
        expect([...problems.values()].filter((text) => !text.includes('levels deep'))).toEqual([]);
        if (segment !== null) expect(() => parseRules({ segment })).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });

  it('means the same when it comes back from the wire', () => {
    fc.assert(
      fc.property(finishedGroup, fc.func(fc.boolean()), (root, answer) => {
        const { segment } = writeSegment(root);
        if (segment === null) return;
        const again = writeSegment(readRules({ segment: segment })).segment;
        if (again === null) return;
        const truth = (rule: unknown): boolean => answer(JSON.stringify(rule));
        expect(isMet(again, truth)).toBe(isMet(segment, truth));
      }),
      { numRuns: 300 },
    );
  });

  it('keeps texts of a backend that are empty, or have blanks at their ends', () => {
    const all: SegmentMember[] = [
      { name: 'city', operator: 'include', value: ['', ' Graz ', 'Wien'] },
      { name: 'tags.plan', operator: 'not_include', value: ['gold '] },
    ];
    expect(writeSegment(readRules({ segment: { all } })).segment).toEqual({ all });
    const one: SegmentMember[] = [{ name: 'city', operator: 'not_equal', value: '' }];
    const asList = [{ name: 'city', operator: 'not_include', value: [''] }];
    expect(writeSegment(readRules({ segment: { all: one } })).segment).toEqual({ all: asList });
    expect(writeSegment(readRules({ target: { city: ' Graz' } })).segment).toEqual({
      all: [{ name: 'city', operator: 'include', value: [' Graz'] }],
    });
  });

  it('shows a target as rules beside the segment', () => {
    const root = readRules({
      target: { deviceType: 'ios', tags: ['a', 'b'], nearBy: { lat: 1, lng: 2, radius: 3 }, age: 30 },
      segment: { any: [{ name: 'launchCount', operator: 'greater_than', value: 2 }] },
    });
    expect(writeSegment(root).segment).toEqual({
      all: [
        { name: 'deviceType', operator: 'equal_to', value: 'ios' },
        { name: 'tags', operator: 'include', value: ['a', 'b'] },
        { name: 'nearBy', operator: 'include', value: { lat: 1, lng: 2, radius: 3 } },
        { name: 'age', operator: 'equal_to', value: 30 },
      ],
      any: [{ name: 'launchCount', operator: 'greater_than', value: 2 }],
    });
  });

  it.each([
    [rule('tags', 'include', ' '), 'Enter at least one value'],
    [rule('tags', 'equal_to', 'x'.repeat(256)), 'At most 255 characters'],
    [rule('city', 'equal_to', ''), 'Enter a value'],
    [rule('launchCount', 'greater_than', 'many'), 'It must be a number'],
    [rule('osVersion', 'greater_than', 'latest'), 'A version has at least one number, like 10.2'],
    [rule('launchTime', 'before', '6 hours'), 'Enter minutes, hours or days, or a date'],
    [rule('launchTime', 'greater_than', '6h'), 'Enter a date, like 2024-05-31 or 2024-05-31T12:00Z'],
    [{ ...newRule('nearBy'), place: { lat: '91', lng: '0', radius: '1' } }, 'The latitude is a number from -90 to 90'],
    [{ ...newRule('nearBy'), place: { lat: '1', lng: '0', radius: '' } }, 'The radius is a number of metres'],
    [rule('a.constructor', 'equal_to', 'x'), 'This name is not allowed'],
    [rule('', 'equal_to', 'x'), 'Enter the name of the field'],
  ])('says what is wrong with a rule that is not finished: %#', (bad, problem) => {
    const { segment, problems } = writeSegment(newGroup('all', [bad]));
    expect(segment).toBeNull();
    expect([...problems]).toEqual([[bad.key, problem]]);
  });

  it('refuses an empty group, a sixth level and a 101st rule', () => {
    const empty = newGroup('any');
    expect(writeSegment(newGroup('all', [empty])).problems.get(empty.key)).toContain('Add a rule');
    let deep = newGroup('any', [rule('tags', 'equal_to', 'a')]);
    for (let level = 0; level < 5; level += 1) deep = newGroup('any', [deep]);
    expect([...writeSegment(deep).problems.values()]).toEqual(['Groups can be nested at most 5 levels deep']);
    const many = newGroup(
      'all',
      Array.from({ length: 101 }, () => rule('tags', 'equal_to', 'a')),
    );
    expect(writeSegment(many).problems.get(many.key)).toBe('A segment holds at most 100 rules');
  });

  it('finds the rule that an error of the API is about', () => {
    const bad = rule('tags', 'include', 'a');
    const { keys } = writeSegment(newGroup('all', [rule('tags', 'equal_to', 'b'), newGroup('any', [bad])]));
    expect(keyOfPath(keys, 'segment.any[0].value[0]')).toBe(bad.key);
    expect(keyOfPath(keys, 'target')).toBeUndefined();
  });

  it('keeps what still fits when the field or the type of a rule changes', () => {
    const visits = rule('launchTime', 'after', '6h');
    expect(withField(visits, 'installDate')).toMatchObject({ operator: 'after', values: ['6h'], key: visits.key });
    expect(withField(visits, 'nearBy')).toMatchObject({ operator: 'include', key: visits.key });
    expect(withValueType(rule('age', 'greater_than', '3'), 'boolean')).toMatchObject({
      operator: 'equal_to',
      values: ['true'],
    });
  });

  it('is edited in place, at any depth', () => {
    const inner = rule('tags', 'equal_to', 'a');
    const root = newGroup('all', [newGroup('any', [inner])]);
    const changed = replaceMember(root, inner.key, { ...inner, values: ['b'] });
    expect(writeSegment(changed).segment).toEqual({ any: [{ name: 'tags', operator: 'equal_to', value: 'b' }] });
    expect(countRules(replaceMember(root, inner.key, null))).toBe(0);
  });

  it('is counted without what is not finished yet', () => {
    const done = rule('tags', 'include', 'a');
    const root = newGroup('all', [rule('launchCount', 'equal_to', 'x'), done, newGroup('any', [newRule('city')])]);
    const wire = { name: 'tags', operator: 'include', value: ['a'] };
    expect(writeFinished(root, writeSegment(root))).toEqual({ segment: { all: [wire] }, leftOut: 2 });
    const whole = newGroup('all', [done]);
    expect(writeFinished(whole, writeSegment(whole))).toEqual({ segment: { all: [wire] }, leftOut: 0 });
    const none = newGroup('all', [newRule('city')]);
    expect(writeFinished(none, writeSegment(none)).segment).toBeNull();
  });

  it('reads as a sentence', () => {
    const root = newGroup('all', [
      rule('launchTime', 'before', '72h'),
      newGroup('any', [rule('tags', 'include', 'a', 'b'), rule('deviceType', 'equal_to', 'ios')]),
      newGroup('none', [rule('online', 'equal_to', 'true')]),
    ]);
    expect(saySegment(root)).toBe(
      'Last visit is more than 72 hours ago and (the user has one of the tags a, b or Device type is ios) and not (the app is open now)',
    );
  });

  it('says one tag, an age and a field without a name as a person would', () => {
    const said = (...args: Parameters<typeof rule>): string => saySegment(newGroup('all', [rule(...args)]));
    expect(said('tags', 'include', 'sport', '')).toBe('the user has the tag sport');
    expect(said('tags', 'not_include', 'sport')).toBe('the user does not have the tag sport');
    expect(said('launchTime', 'after', '7d')).toBe('Last visit is within the last 7 days');
    expect(said('launchTime', 'after', '2026-11-01')).toBe('Last visit is after 2026-11-01');
    expect(said('', 'equal_to')).toBe('… is …');
  });
});

describe('moments in forms', () => {
  it('come back as they went, to the minute', () => {
    const local = toLocalInput('2026-05-31T12:34:56Z');
    expect(local).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/);
    expect(fromLocalInput(local)).toBe('2026-05-31T12:34:00Z');
    expect([toLocalInput(''), toLocalInput('soon'), fromLocalInput('')]).toEqual(['', '', '']);
  });

  it.each(['2026-05-31T12:34', '2026-05-31T12:34:00.123456', '2026-05-31T16:04+03:30'])(
    'are in UTC unless they say another offset, as in rules: %s',
    (text) => expect(toLocalInput(text)).toBe(toLocalInput('2026-05-31T12:34:00Z')),
  );

  it('are ages by amount and unit', () => {
    expect(readAge('1.5d')).toEqual({ amount: '1.5', unit: 'd' });
    expect(readAge('h')).toEqual({ amount: '', unit: 'h' });
    expect(readAge('2026-05-31')).toBeNull();
  });
});
