import { sql } from '@postrider/persistence';
import { compileRules, type Rules } from './compile-rules';

const now = new Date('2024-04-01T12:00:00Z');

function compile(
  name: string,
  operator: string,
  value: string | number | string[],
): { sql: string; values: unknown[] } {
  const { condition, join } = compileRules({ segment: { all: [{ name, operator, value }] } }, { now });
  expect(join.toQuery().text).toBe('');
  const { text, values } = sql`${'shop'} ${condition}`.toQuery();
  return { sql: text, values };
}

describe('the predicate of a segment', () => {
  it.each([
    [`x'; drop table users; --`, `y'; drop table users; --`],
    ['$.x ? (@ == 1)', '$1'],
    [`tags.it's`, `"}'::jsonb`],
    ['\\', '\\'],
  ])('holds no name and no value as text: %s', (name, value) => {
    for (const operator of ['equal_to', 'greater_than', 'not_include']) {
      const { sql } = compile(name, operator, operator === 'not_include' ? [value] : value);
      const harmless = compile(
        name.startsWith('tags.') ? 'tags.a' : 'a',
        operator,
        operator === 'not_include' ? ['b'] : 'b',
      );
      expect(sql).toBe(harmless.sql);
    }
  });

  it('uses every parameter that it adds, or PostgreSQL could not tell its type', () => {
    for (const value of ['a', 1, '2024-01-01']) {
      for (const name of ['age', 'locale', 'tags.plan']) {
        for (const operator of ['equal_to', 'lesser_equals']) {
          const { sql, values } = compile(name, operator, value);
          for (let at = 2; at <= values.length; at++) expect(sql).toContain(`$${at}::`);
        }
      }
    }
    const { condition } = compileRules({ target: { 'tags.plan': true } }, { now });
    expect(condition.toQuery().values).toEqual([]);
  });

  it('counts ages back from the moment it is given', () => {
    expect(compile('launchTime', 'after', '6h').values).toContain('2024-04-01T06:00:00.000000Z');
    expect(compile('installDate', 'before', '0.5d').values).toContain('2024-04-01T00:00:00.000000Z');
  });

  it('goes to the index on tags for tags and for their values', () => {
    expect(compile('tags', 'include', ['a', 'b']).sql).toContain('i.tags && $2::text[]');
    expect(compile('tags.plan', 'equal_to', 'gold').sql).toContain('(i.tags @> $2::text[] AND ');
  });

  it.each(['locale', 'tags.plan'])('reads the text of %s once, however many rules compare it with a moment', (name) => {
    const rules = Array.from({ length: 50 }, (_, day) => [
      { name, operator: 'greater_than', value: new Date(day * 864e5).toISOString() },
      { name, operator: 'equal_to', value: new Date(day * 864e5).toISOString() },
    ]).flat();
    const { condition, join } = compileRules({ segment: { none: rules } }, { now });
    expect(condition.toQuery().text).not.toMatch(/~|->|jsonb_array_elements/);
    expect(join.toQuery().text.match(/LATERAL/g)?.length).toBeLessThanOrEqual(3);
  });

  it('needs users for custom fields only, however deep', () => {
    const tagged = { name: 'tags.plan', operator: 'equal_to', value: 'gold' };
    const custom = { name: 'purchase.count', operator: 'greater_than', value: 1 };
    const near = { name: 'nearBy', operator: 'include', value: [0, 0, 1] };
    const needsUsers = (rules: Rules): boolean => compileRules(rules, { now }).needsUsers;
    expect(needsUsers({ target: { deviceType: 'ios' }, segment: { all: [tagged, { any: [near] }] } })).toBe(false);
    expect(needsUsers({ segment: { all: [tagged, { none: [{ any: [near, custom] }] }] } })).toBe(true);
    expect(needsUsers({ target: { plan: 'gold' } })).toBe(true);
  });
});
