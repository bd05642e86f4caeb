import { joined, rows, sql, type Sql } from '@postrider/persistence';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { comparesToMoment, equalsMoment, knownComparesToMoment } from './moment-sql';

describe('a text that is a moment', () => {
  let database: ThrowAwayDatabase;

  beforeAll(async () => {
    database = await createThrowAwayDatabase();
  });
  afterAll(() => database.drop());

  const evaluate = async (conditions: Sql[]): Promise<boolean[] | undefined> => {
    const all = sql`SELECT ARRAY[${joined(conditions, ', ')}] AS held`;
    return (await rows<{ held: boolean[] }>(database.dataSource, all))[0]?.held;
  };

  it.each([
    ['2024-04-01', 'has no time'],
    ['2024-04-02T15:58+15:59', 'is of the day after, by its offset'],
    ['2024-03-31T08:01-15:59', 'is of the day before, by its offset'],
    ['0001-01-01T00:00+15:59', 'is before the first year'],
    ['9999-12-31T23:59-15:59', 'is behind the last year'],
  ])('is compared by its moment to the microsecond: %s, which %s', async (text) => {
    const moment = BigInt(Date.parse(text)) * 1000n;
    const [earlier, later] = [moment - 1n, moment + 1n];
    const value = sql`${text}::text`;
    for (const compares of [comparesToMoment, knownComparesToMoment]) {
      const to = (other: bigint): Sql[] =>
        (['<', '<=', '>', '>='] as const).map((sign) => compares(value, sign, other));
      expect(await evaluate(to(earlier))).toEqual([false, false, true, true]);
      expect(await evaluate(to(moment))).toEqual([false, true, false, true]);
      expect(await evaluate(to(later))).toEqual([true, true, false, false]);
    }
    const equals = [[moment], [earlier, later], [later, moment, earlier]].map((any) => equalsMoment(value, any));
    expect(await evaluate(equals)).toEqual([true, false, true]);
  });
});
