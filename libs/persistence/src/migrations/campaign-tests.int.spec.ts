import { createThrowAwayDatabase, type ThrowAwayDatabase, untilTrue } from '@postrider/testing';
import { rows } from '../database/executor';
import { CampaignTests1795478450000 } from './20261124-f-campaign-tests';

describe('the migration of campaign tests', () => {
  let database: ThrowAwayDatabase;

  beforeAll(async () => (database = await createThrowAwayDatabase()));
  afterAll(() => database.drop());

  it('lets messages be written while it reads all of them for its index, however many there are', async () => {
    const { dataSource } = database;
    const [migration, older] = [dataSource.createQueryRunner(), dataSource.createQueryRunner()];
    await new CampaignTests1795478450000().down(migration);
    // The build waits for every older snapshot, as it would take its time with many messages.
    await older.startTransaction('REPEATABLE READ');
    await older.query('SELECT 1 FROM applications');
    let isDone = false;
    const migrating = new CampaignTests1795478450000().up(migration).then(() => (isDone = true));
    const isBuilding = async (): Promise<boolean> => {
      const found = await rows(
        dataSource,
        `SELECT FROM pg_stat_activity WHERE query LIKE 'CREATE%INDEX CONCURRENTLY%messages_winner_due%' AND wait_event_type = 'Lock'
           AND datname = current_database()`,
      );
      return isDone || found.length > 0;
    };
    try {
      await untilTrue(isBuilding);
      expect(isDone).toBe(false);
      await rows(dataSource, 'UPDATE messages SET revision = revision');
    } finally {
      await older.commitTransaction();
      await migrating;
      await Promise.all([migration.release(), older.release()]);
    }
    const [index] = await rows(
      dataSource,
      `SELECT indisvalid FROM pg_index WHERE indexrelid = 'messages_winner_due'::regclass`,
    );
    expect(index).toEqual({ indisvalid: true });
  });
});
