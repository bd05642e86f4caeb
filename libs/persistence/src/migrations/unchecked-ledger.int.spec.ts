import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { PartitionsRepository } from '../partitions/partitions.repository';
import { UncheckedLedger1795824060000 } from './20261129-i-unchecked-ledger';

describe('the tables that each message is written to', () => {
  let throwAway: ThrowAwayDatabase;

  beforeAll(async () => (throwAway = await createThrowAwayDatabase()));
  afterAll(() => throwAway.drop());

  const checked = async (): Promise<string[]> => {
    const found: { table: string }[] = await throwAway.dataSource.query(
      `SELECT DISTINCT conrelid::regclass::text AS table FROM pg_constraint
       WHERE contype = 'c' AND conrelid::regclass::text ~ '^(messages|pages|deliveries|delivery_packs)(_|$)' ORDER BY 1`,
    );
    return found.map(({ table }) => table);
  };

  it('have no CHECK constraints, which PostgreSQL reads again in each statement, on days of before and after', async () => {
    const database = throwAway.dataSource;
    expect(await checked()).toEqual([]);
    const runner = database.createQueryRunner();
    const migration = new UncheckedLedger1795824060000();
    await migration.down(runner);
    await new PartitionsRepository(database).ensure(new Date(Date.UTC(2050, 0, 1)), 0);
    expect(await checked()).toEqual(
      expect.arrayContaining(['messages', 'messages_20500101', 'pages', 'pages_20500101']),
    );
    for (let times = 0; times < 2; times++) await migration.up(runner);
    await runner.release();
    expect(await checked()).toEqual([]);
  });
});
