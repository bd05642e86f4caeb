import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { checkDisk } from './disk-check';
import { rows } from './executor';

const REFUSE = `DO $$ BEGIN RAISE 'could not extend file "base/1/2": No space left on device' USING ERRCODE = 'disk_full'; END $$`;

describe('the check of the disk of PostgreSQL', () => {
  let throwAway: ThrowAwayDatabase;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
  });
  afterAll(() => throwAway.drop());

  it('fails for a while after a statement was refused because there was no room, and after no other error', async () => {
    const database = throwAway.dataSource;
    await expect(rows(database, 'SELECT 1 / 0')).rejects.toThrow();
    await expect(checkDisk(database)).resolves.toBeUndefined();
    await expect(rows(database, REFUSE)).rejects.toThrow();
    await expect(checkDisk(database, 600_000)).rejects.toThrow(
      /^the disk of PostgreSQL is full: it refused a write \d+ s ago \(could not extend file "base\/1\/2": No space left on device\); make room there$/,
    );
    await expect(checkDisk(database, 0)).resolves.toBeUndefined();
  });
});
