import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import fc from 'fast-check';
import { sql } from '../sql';
import { bigintArray, byteaArray, textArray } from './binary-array';
import { rows } from './executor';

describe('an array that is sent in binary', () => {
  let throwAway: ThrowAwayDatabase;

  beforeAll(async () => (throwAway = await createThrowAwayDatabase()));
  afterAll(() => throwAway.drop());

  it('is what it was, of numbers, of bytes and of texts, however many', async () => {
    const number = fc.oneof(fc.nat(), fc.maxSafeNat());
    const bytes = fc.uint8Array({ maxLength: 300 }).map((values) => Buffer.from(values));
    const text = fc.string({ unit: fc.constantFrom('a', '"', '{', ',', '\\', ' ', 'é', '😀', '\n'), maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.array(number), fc.array(bytes), fc.array(text), async (numbers, values, texts) => {
        const [found] = await rows<{ numbers: string[]; values: Buffer[]; texts: string[] }>(
          throwAway.dataSource,
          sql`SELECT ${bigintArray(numbers)}::bigint[] AS numbers, ${byteaArray(values)}::bytea[] AS values,
            ${textArray(texts)}::text[] AS texts`,
        );
        expect(found?.numbers).toEqual(numbers.map(String));
        expect(found?.values).toEqual(values);
        expect(found?.texts).toEqual(texts);
      }),
      { numRuns: 50 },
    );
  });

  it('of nothing is empty', async () => {
    const found = await rows(
      throwAway.dataSource,
      sql`SELECT ${bigintArray([])}::bigint[] = '{}' AS "isEmpty", ${textArray([])}::text[] = '{}' AS "hasNoText"`,
    );
    expect(found).toEqual([{ isEmpty: true, hasNoText: true }]);
  });
});
