import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import fc from 'fast-check';
import { sql } from '../sql';
import { bigintArray, byteaArray } from './binary-array';
import { rows } from './executor';

describe('an array that is sent in binary', () => {
  let throwAway: ThrowAwayDatabase;

  beforeAll(async () => (throwAway = await createThrowAwayDatabase()));
  afterAll(() => throwAway.drop());

  it('is what it was, of numbers and of bytes, however many', async () => {
    const number = fc.oneof(fc.nat(), fc.maxSafeNat());
    const bytes = fc.uint8Array({ maxLength: 300 }).map((values) => Buffer.from(values));
    await fc.assert(
      fc.asyncProperty(fc.array(number), fc.array(bytes), async (numbers, values) => {
        const [found] = await rows<{ numbers: string[]; values: Buffer[] }>(
          throwAway.dataSource,
          sql`SELECT ${bigintArray(numbers)}::bigint[] AS numbers, ${byteaArray(values)}::bytea[] AS values`,
        );
        expect(found?.numbers).toEqual(numbers.map(String));
        expect(found?.values).toEqual(values);
      }),
      { numRuns: 50 },
    );
  });

  it('of nothing is empty', async () => {
    const found = await rows(throwAway.dataSource, sql`SELECT ${bigintArray([])}::bigint[] = '{}' AS "isEmpty"`);
    expect(found).toEqual([{ isEmpty: true }]);
  });
});
