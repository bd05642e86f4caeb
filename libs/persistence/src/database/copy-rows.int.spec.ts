import type { JsonObject } from '@postrider/domain';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import fc from 'fast-check';
import { copyRows } from './copy-rows';
import { type Executor, inTransaction, rows } from './executor';
import { sqlState } from './sql-state';

const SIGNS = ['\t', '\n', '\r', '\\', '"', '{', '}', ',', 'NULL', '\\N', '\\.', ' ', "'", 'é', '😀', 'a'];
const TABLE = `CREATE TEMP TABLE copied (n bigint PRIMARY KEY, t text, a text[], j jsonb, f float8, m timestamptz, s smallint, u uuid)
  ON COMMIT DROP`;
const COLUMNS = 'n, t, a, j, f, m, s, u';
const CELLS = 8;

interface Row {
  n: number;
  t: string | null;
  a: string[];
  j: JsonObject;
  f: number | null;
  m: Date | null;
  s: number;
  u: string;
}

describe('rows that are copied in binary', () => {
  let throwAway: ThrowAwayDatabase;
  beforeAll(async () => (throwAway = await createThrowAwayDatabase()));
  afterAll(() => throwAway.drop());

  const text = fc.array(fc.constantFrom(...SIGNS), { maxLength: 40 }).map((signs) => signs.join(''));
  const row = fc.record<Row>({
    n: fc.maxSafeInteger(),
    t: fc.option(text),
    a: fc.array(text, { maxLength: 4 }),
    j: fc.dictionary(text, text, { maxKeys: 3 }).map((members) => ({ ...members })),
    f: fc.option(fc.double({ noNaN: true })),
    m: fc.option(fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })),
    s: fc.integer({ min: -32_768, max: 32_767 }),
    u: fc.uuid(),
  });

  async function copy(executor: Executor, values: Iterable<Row>): Promise<void> {
    await copyRows(executor, ['copied', COLUMNS], values, (cells, { n, t, a, j, f, m, s, u }) => {
      cells.begin(CELLS);
      cells.bigint(n);
      cells.text(t);
      cells.texts(a);
      cells.json(j);
      cells.float8(f);
      cells.timestamptz(m);
      cells.smallint(s);
      cells.uuid(u);
    });
  }

  function copied(executor: Executor): Promise<unknown[]> {
    return rows(executor, 'SELECT n::float8 AS n, t, a, j, f, m, s, u FROM copied ORDER BY copied.n');
  }

  it('are what they were, whatever stands in texts, arrays and JSON', async () => {
    const some = fc.uniqueArray(row, { minLength: 1, maxLength: 5, selector: ({ n }) => n });
    await fc.assert(
      fc.asyncProperty(some, async (values) => {
        const found = await inTransaction(throwAway.dataSource, async (executor) => {
          await rows(executor, TABLE);
          await copy(executor, values);
          return copied(executor);
        });
        expect(found).toEqual([...values].sort((one, other) => one.n - other.n));
      }),
      { numRuns: 100 },
    );
  });

  const [plain] = fc.sample(row, { numRuns: 1, seed: 1 });
  const rowOf = (n: number, t = 'x'.repeat(1_000)): Row => ({ ...(plain as Row), n, t });

  it('are as many as they were, also if they do not fit in one piece, or one does not', async () => {
    const found = await inTransaction(throwAway.dataSource, async (executor) => {
      await rows(executor, TABLE);
      await copy(
        executor,
        Array.from({ length: 3_000 }, (_, n) => rowOf(n, n === 7 ? 'é'.repeat(500_000) : undefined)),
      );
      return rows(executor, 'SELECT count(*)::int AS count, max(length(t)) AS longest, sum(n)::int AS sum FROM copied');
    });
    expect(found).toEqual([{ count: 3_000, longest: 500_000, sum: (2_999 * 3_000) / 2 }]);
  });

  it('are none if PostgreSQL refuses one, and the transaction can go back to before them', async () => {
    const found = await inTransaction(throwAway.dataSource, async (executor) => {
      await rows(executor, TABLE);
      await copy(executor, [rowOf(1)]);
      await rows(executor, 'SAVEPOINT before');
      const many = Array.from({ length: 3_000 }, (_, n) => rowOf(n));
      const refusal = await copy(executor, many).then(
        () => null,
        (error: unknown) => sqlState(error),
      );
      await rows(executor, 'ROLLBACK TO SAVEPOINT before');
      return { refusal, count: await rows(executor, 'SELECT count(*)::int AS count FROM copied') };
    });
    expect(found).toEqual({ refusal: '23505', count: [{ count: 1 }] });
  });

  it('are none if one cannot be made, and the connection is as good as before', async () => {
    const broken = inTransaction(throwAway.dataSource, async (executor) => {
      await rows(executor, TABLE);
      function* values(): Generator<Row, void> {
        yield rowOf(1);
        throw new Error('no further row');
      }
      await copy(executor, values());
    });
    await expect(broken).rejects.toThrow('no further row');
    expect(await rows(throwAway.dataSource, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});
