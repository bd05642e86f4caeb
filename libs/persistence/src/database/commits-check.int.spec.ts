import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { checkCommits } from './commits-check';
import { rows } from './executor';

describe('the check of PostgreSQL', () => {
  let throwAway: ThrowAwayDatabase;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase(1);
  });
  afterAll(() => throwAway.drop());

  it('fails while the database takes no writes, and says why', async () => {
    const database = throwAway.dataSource;
    await expect(checkCommits(database)).resolves.toBeUndefined();
    await rows(database, 'SET default_transaction_read_only = on');
    await expect(checkCommits(database)).rejects.toThrow(
      'PostgreSQL takes no writes: it is a standby, or default_transaction_read_only is on for the database or the role',
    );
    await rows(database, 'SET default_transaction_read_only = off');
    await expect(checkCommits(database)).resolves.toBeUndefined();
  });
});
