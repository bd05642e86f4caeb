import { createThrowAwayDatabase, type RenewableDatabase } from '@postrider/testing';
import { type Executor, inTransaction, rows } from '../database/executor';
import { ErasuresRepository } from './erasures.repository';

/** The error that the triggers raise. */
const REFUSED = { code: 'PR001' };

describe('writing while somebody is being erased', () => {
  let database: RenewableDatabase;
  let erasures: ErasuresRepository;

  beforeAll(async () => {
    database = await createThrowAwayDatabase();
  });
  afterAll(() => database.drop());

  beforeEach(async () => {
    erasures = new ErasuresRepository(database.dataSource);
    await rows(
      database.dataSource,
      `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('shop', 'Shop', '')`,
    );
  });
  afterEach(() => database.renew());

  const begin = (userId: string): Promise<void> =>
    erasures.begin({ appId: 'shop', userId, erasureId: '0195a6b0-0000-7000-8000-000000000001' });
  const writeUsers = (executor: Executor, ...ids: string[]): Promise<unknown> =>
    rows(executor, `INSERT INTO users (app_id, user_id) SELECT 'shop', unnest($1::text[]) ON CONFLICT DO NOTHING`, [
      ids,
    ]);
  const writeDevice = (executor: Executor, userId: string): Promise<unknown> =>
    rows(
      executor,
      `INSERT INTO installations (app_id, installation_id, user_id) VALUES ('shop', gen_random_uuid(), $1)`,
      [userId],
    );

  it('refuses every statement that names them, and none that does not', async () => {
    const { dataSource } = database;
    await writeUsers(dataSource, 'ada');
    await begin('ada');
    // A user who exists already is refused too.
    await expect(writeUsers(dataSource, 'bob', 'ada')).rejects.toMatchObject(REFUSED);
    await expect(writeDevice(dataSource, 'ada')).rejects.toMatchObject(REFUSED);
    await writeUsers(dataSource, 'bob');
    await writeDevice(dataSource, 'bob');
    expect(await rows(dataSource, `SELECT user_id FROM installations`)).toEqual([{ user_id: 'bob' }]);
  });

  it('is waited for where a transaction asked before the erasure began, and is refused in the next one', async () => {
    const { dataSource } = database;
    await inTransaction(dataSource, async (executor) => {
      await writeUsers(executor, 'bob');
      await begin('ada');
      expect(await erasures.findEarlierWriters()).toHaveLength(1);
      await writeUsers(executor, 'ada');
      await writeDevice(executor, 'ada');
    });
    expect(await erasures.findEarlierWriters()).toEqual([]);
    await expect(inTransaction(dataSource, (executor) => writeDevice(executor, 'ada'))).rejects.toMatchObject(REFUSED);
  });

  it('is asked again in each transaction of a connection', async () => {
    const runner = database.dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      await writeUsers(runner.manager, 'bob');
      await runner.commitTransaction();
      await begin('ada');
      await runner.startTransaction();
      await expect(writeUsers(runner.manager, 'ada')).rejects.toMatchObject(REFUSED);
      await runner.rollbackTransaction();
    } finally {
      await runner.release();
    }
  });
});
