import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import type { DataSource } from 'typeorm';
import { InstallationsKey1795478520000 } from './20261125-e-installations-key';

const migration = new InstallationsKey1795478520000();
const HELD = ['device_type', 'usable_vendor', 'uses_connection', 'user_proof'];

describe('the migration that gives the key of installations what a count asks for', () => {
  let throwAway: ThrowAwayDatabase;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    await throwAway.dataSource.query(
      `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('shop', 'Shop', '')`,
    );
  });

  afterAll(() => throwAway.drop());

  it('goes back and forth, and changes nothing when it runs again', async () => {
    const { dataSource } = throwAway;
    expect(await columnsOfKey(dataSource)).toEqual(['app_id', 'id', ...HELD]);
    await run('down');
    expect(await columnsOfKey(dataSource)).toEqual(['app_id', 'id']);
    await run('up');
    await run('up');
    expect(await columnsOfKey(dataSource)).toEqual(['app_id', 'id', ...HELD]);
  });

  it('leaves a number to one installation, and keeps what belongs to it', async () => {
    const { dataSource } = throwAway;
    const [device] = await dataSource.query<{ id: string }[]>(
      `INSERT INTO installations (app_id, installation_id, user_id) VALUES ('shop', gen_random_uuid(), 'ada') RETURNING id`,
    );
    await dataSource.query(`INSERT INTO connection_sessions (app_id, id, user_id) VALUES ('shop', $1, 'ada')`, [
      device?.id,
    ]);
    await dataSource.query(`UPDATE installations SET user_id = 'bob', user_since = now() WHERE id = $1`, [device?.id]);
    await run('down');
    await run('up');
    const again = dataSource.query(
      `INSERT INTO installations (app_id, id, installation_id, user_id) OVERRIDING SYSTEM VALUE
       VALUES ('shop', $1, gen_random_uuid(), 'eve')`,
      [device?.id],
    );
    await expect(again).rejects.toThrow('installations_pkey');
    const unknown = dataSource.query(`INSERT INTO connection_sessions (app_id, id, user_id) VALUES ('shop', 0, 'ada')`);
    await expect(unknown).rejects.toThrow('foreign key');
    await dataSource.query(`DELETE FROM installations WHERE id = $1`, [device?.id]);
    expect(await dataSource.query(`SELECT 1 FROM connection_sessions`)).toEqual([]);
    expect(await dataSource.query(`SELECT 1 FROM former_owners`)).toEqual([]);
    const unchecked = await dataSource.query(
      `SELECT conname FROM pg_constraint WHERE contype = 'f' AND NOT convalidated`,
    );
    expect(unchecked).toEqual([]);
  });

  it('gives way to a statement that has a table of a foreign key and still needs the installations', async () => {
    const { dataSource } = throwAway;
    const other = dataSource.createQueryRunner();
    await other.startTransaction();
    await other.query(`LOCK TABLE connection_sessions IN ROW EXCLUSIVE MODE`);
    await expect(run('down')).rejects.toMatchObject({ code: '55P03' });
    await other.query(`SELECT 1 FROM installations LIMIT 1`);
    await other.commitTransaction();
    await other.release();
    await run('down');
    expect(await columnsOfKey(dataSource)).toEqual(['app_id', 'id']);
    await run('up');
  });

  async function run(direction: 'up' | 'down'): Promise<void> {
    const runner = throwAway.dataSource.createQueryRunner();
    await migration[direction](runner).finally(() => runner.release());
  }
});

async function columnsOfKey(dataSource: DataSource): Promise<string[]> {
  const found = await dataSource.query<{ name: string }[]>(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = 'installations_pkey'::regclass ORDER BY attnum`,
  );
  return found.map(({ name }) => name);
}
