import { newId } from '@postrider/platform';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from './database';
import { emptyAllTables, emptyTables } from './empty-tables';

describe('tables that a test empties', () => {
  let throwAway: ThrowAwayDatabase;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
  });
  afterAll(() => throwAway.drop());

  const query = <T>(text: string): Promise<T[]> => throwAway.dataSource.query(text);

  /** @returns which of the tables have rows */
  async function filled(...tables: string[]): Promise<string[]> {
    const found = await Promise.all(tables.map((table) => query(`SELECT 1 FROM ${table} LIMIT 1`)));
    return tables.filter((_, place) => (found[place]?.length ?? 0) > 0);
  }

  async function fill(devices: number): Promise<void> {
    await query(`INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('shop', 'Shop', '')`);
    await query(
      `INSERT INTO installations (app_id, installation_id, user_id, token, push_type)
       SELECT 'shop', gen_random_uuid(), 'ann', repeat('t', 500) || n, 'fcm' FROM generate_series(1, ${devices}) AS n`,
    );
    await query(
      `INSERT INTO message_counts (app_id, message_id, kind, hour, platform, count)
       VALUES ('shop', '${newId()}', 'shown', now(), 'android', 1)`,
    );
    await query(
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank)
       VALUES ('shop', '${newId()}', 1, 'sent', 1)`,
    );
  }

  it.each([1, 10_000])(
    'have no rows, nor have their partitions and what refers to them (%s devices)',
    async (devices) => {
      await fill(devices);
      expect(await filled('applications', 'installations', 'deliveries', 'message_counts')).toHaveLength(4);
      await emptyTables(throwAway.dataSource, 'applications', 'deliveries');
      expect(await filled('applications', 'installations', 'deliveries', 'message_counts')).toEqual(['message_counts']);
    },
  );

  it('are all that migrations made, unless the test names some', async () => {
    await emptyAllTables(throwAway.dataSource);
    await fill(1);
    await emptyAllTables(throwAway.dataSource);
    expect(await filled('applications', 'installations', 'deliveries', 'message_counts')).toEqual([]);
    expect(await filled('migrations')).toEqual(['migrations']);
  });
});
