import fc from 'fast-check';
import { identifier, joined, literal, parameter, sql, type Sql, template } from './sql';

describe('the sql template', () => {
  it('makes a numbered parameter of every value', () => {
    expect(
      sql`SELECT * FROM users WHERE app_id = ${'shop'} AND user_id = ${"'; DROP TABLE users --"}`.toQuery(),
    ).toEqual({
      text: 'SELECT * FROM users WHERE app_id = $1 AND user_id = $2',
      values: ['shop', "'; DROP TABLE users --"],
    });
  });

  it('numbers the parameters of a part where the part stands', () => {
    const isLive = sql`status = ${'accepted'} AND expires_at > ${7}`;
    expect(sql`UPDATE messages SET note = ${'a'} WHERE ${isLive} AND id = ${'m'}`.toQuery()).toEqual({
      text: 'UPDATE messages SET note = $1 WHERE status = $2 AND expires_at > $3 AND id = $4',
      values: ['a', 'accepted', 7, 'm'],
    });
  });

  it('keeps a parameter that stands in several places, also within parts, one parameter', () => {
    const appId = parameter('shop');
    const ids = parameter([1, 2], 'bigint[]');
    expect(sql`SELECT ${sql`app_id = ${appId}`}, ${ids}, ${'x'}, ${ids} WHERE app_id = ${appId}`.toQuery()).toEqual({
      text: 'SELECT app_id = $1, $2::bigint[], $3, $2::bigint[] WHERE app_id = $1',
      values: ['shop', [1, 2], 'x'],
    });
  });

  it('joins parts, and none to nothing', () => {
    expect(joined([sql`a = ${1}`, sql`b`, sql`c = ${2}`], ' OR ').toQuery()).toEqual({
      text: 'a = $1 OR b OR c = $2',
      values: [1, 2],
    });
    expect(sql`SELECT 1${joined([], ',')}`.toQuery()).toEqual({ text: 'SELECT 1', values: [] });
  });

  it('takes a plain name as a part, and nothing else', () => {
    expect(sql`SELECT ${identifier('user_id')} FROM users`.toQuery().text).toBe('SELECT user_id FROM users');
    for (const name of ['', 'user id', 'users;', '"users"', 'Users', '1st']) {
      expect(() => identifier(name)).toThrow(RangeError);
    }
  });

  it('takes a number or plain words that the code defines as a part of the text, and nothing else', () => {
    const text = sql`SELECT ${literal(2)}, ${literal(-1.5)}, interval ${literal('6000 milliseconds')}`.toQuery().text;
    expect(text).toBe("SELECT 2, -1.5, interval '6000 milliseconds'");
    for (const value of ["it's", 'a;b', '\\', '"a"', '$1', NaN, Infinity]) {
      expect(() => literal(value)).toThrow(RangeError);
    }
  });

  it('puts the parts of a template together once, and gives each run its own values', () => {
    const find = template(['appId', 'ids'], ({ appId, ids }) => {
      const own = sql`app_id = ${appId}`;
      return sql`SELECT ${joined([sql`a`, sql`b`], ', ')} FROM t WHERE ${own} AND id = ANY (${ids}::bigint[]) AND n < ${7} AND ${own}`;
    });
    const text = 'SELECT a, b FROM t WHERE app_id = $1 AND id = ANY ($2::bigint[]) AND n < $3 AND app_id = $1';
    expect(find({ appId: 'shop', ids: [1] }).toQuery()).toEqual({ text, values: ['shop', [1], 7] });
    expect(sql`${find({ appId: 'bank', ids: [] })}`.toQuery()).toEqual({ text, values: ['bank', [], 7] });
  });

  it('gives the same statement twice the same text, whatever its values are', () => {
    const statement = (value: unknown): Sql => sql`SELECT ${value}, ${joined([sql`a = ${value}`], ' AND ')}`;
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const { text, values } = statement(value).toQuery();
        expect(text).toBe('SELECT $1, a = $2');
        expect(values).toEqual([value, value]);
      }),
    );
  });
});
