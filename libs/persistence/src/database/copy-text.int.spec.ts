import type { JsonObject } from '@postrider/domain';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import fc from 'fast-check';
import { copyLine, copyText } from './copy-text';
import { inTransaction, rows } from './executor';

describe('rows in the text format of COPY', () => {
  let throwAway: ThrowAwayDatabase;
  beforeAll(async () => (throwAway = await createThrowAwayDatabase()));
  afterAll(() => throwAway.drop());

  const sign = fc.constantFrom(
    '\t',
    '\n',
    '\r',
    '\\',
    '"',
    '{',
    '}',
    ',',
    'NULL',
    '\\N',
    '\\.',
    ' ',
    "'",
    'é',
    '😀',
    'a',
  );
  const text = fc.array(sign, { maxLength: 6 }).map((signs) => signs.join(''));

  it('are what they were, whatever stands in texts, arrays and JSON', async () => {
    const row = fc.tuple(fc.option(text), fc.array(text, { maxLength: 4 }), fc.dictionary(text, text, { maxKeys: 3 }));
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 5 }), async (copied) => {
        const found = await inTransaction(throwAway.dataSource, async (executor) => {
          await rows(executor, `CREATE TEMP TABLE copied (n integer, t text, a text[], j jsonb) ON COMMIT DROP`);
          const lines = copied.map(([t, a, j], n) => copyLine([n, t, a, { ...j }]));
          await copyText(executor, ['copied', 'n, t, a, j'], lines);
          return rows<{ t: string | null; a: string[]; j: JsonObject }>(
            executor,
            `SELECT t, a, j FROM copied ORDER BY n`,
          );
        });
        expect(found).toEqual(copied.map(([t, a, j]) => ({ t, a, j: { ...j } })));
      }),
      { numRuns: 100 },
    );
  });
});
