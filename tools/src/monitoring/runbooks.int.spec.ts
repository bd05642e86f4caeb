import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';

const RUNBOOKS = resolve(__dirname, '../../../docs/runbooks');
const SQL = /```sql\n([^`]*)```/g;

const statements = readdirSync(RUNBOOKS).flatMap((page) =>
  [...readFileSync(join(RUNBOOKS, page), 'utf8').matchAll(SQL)].map(([, text = '']) => [page, text] as const),
);

describe('the SQL of the runbooks', () => {
  let throwAway: ThrowAwayDatabase;
  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
  });
  afterAll(() => throwAway.drop());

  it.each(statements)('runs on the schema, and only reads: %s', async (_, text) => {
    const runner = throwAway.dataSource.createQueryRunner();
    try {
      await runner.query('BEGIN READ ONLY');
      await runner.query(text);
    } finally {
      await runner.query('ROLLBACK');
      await runner.release();
    }
  });
});
