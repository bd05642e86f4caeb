import fc from 'fast-check';
import { MOST_TAGS } from '@postrider/contracts';
import { applyTagEdits, type TagEdit } from './tag-edit';

const tag = fc.constantFrom('a', 'b', 'c', 'd', '__proto__', 'constructor');
const edit = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    tags: fc.array(tag, { minLength: 1, maxLength: 3 }),
    value: fc.option(fc.constantFrom('x', 'y')),
  }),
  fc.record({ kind: fc.constant('remove' as const), tags: fc.array(tag, { minLength: 1, maxLength: 3 }) }),
);

describe('edits of tags', () => {
  it('come to the same as one after the other, whatever the tags are called', () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 12 }), (drawn) => {
        const carried = new Map<string, string | null>();
        const expected: string[] = [];
        const edits = drawn.map((one): TagEdit => {
          if (one.kind === 'remove') {
            const had = one.tags.some((name) => carried.has(name));
            for (const name of one.tags) carried.delete(name);
            expected.push(had ? 'counted' : 'not_counted');
            return one;
          }
          const { value } = one;
          for (const name of one.tags) carried.set(name, value ?? carried.get(name) ?? null);
          expected.push('counted');
          const values = Object.fromEntries(value === null ? [] : one.tags.map((name) => [name, value]));
          return { kind: 'add', tags: one.tags, values };
        });
        const { now, results, isChanged } = applyTagEdits({ tags: [], tagValues: {} }, edits);
        expect(results).toEqual(expected);
        expect(now.tags).toEqual([...carried.keys()].sort());
        const valued = [...carried].filter(([, value]) => value !== null);
        expect(new Map(Object.entries(now.tagValues))).toEqual(new Map(valued));
        expect(isChanged || now.tags.length === 0).toBe(true);
      }),
    );
  });

  it('say that nothing changed when a user carries it all', () => {
    const before = { tags: ['city', 'vip'], tagValues: { city: 'Yazd' } };
    const { now, isChanged } = applyTagEdits(before, [
      { kind: 'add', tags: ['vip', 'city'], values: { city: 'Yazd' } },
      { kind: 'remove', tags: ['other'] },
    ]);
    expect([now, isChanged]).toEqual([before, false]);
  });

  it('leave out the one that would give a user too many, and no other', () => {
    const many = Array.from({ length: MOST_TAGS }, (_, n) => `tag-${n}`);
    const { now, results } = applyTagEdits({ tags: many, tagValues: {} }, [
      { kind: 'add', tags: ['one-more'], values: {} },
      { kind: 'remove', tags: ['tag-0'] },
      { kind: 'add', tags: ['one-more'], values: {} },
    ]);
    expect(results).toEqual(['too_many', 'counted', 'counted']);
    expect(now.tags).toHaveLength(MOST_TAGS);
    expect(now.tags).toContain('one-more');
  });
});
