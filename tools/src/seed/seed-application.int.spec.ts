import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { seedApplication } from './seed-application';

describe('npm run seed', () => {
  let database: ThrowAwayDatabase;

  beforeAll(async () => {
    database = await createThrowAwayDatabase();
    await database.dataSource.query(
      `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('shop', 'Shop', '')`,
    );
  });

  afterAll(() => database.drop());

  const count = async (condition: string): Promise<number> => {
    const [row] = await database.dataSource.query<{ n: number }[]>(
      `SELECT count(*)::int AS n FROM installations WHERE ${condition}`,
    );
    return row?.n ?? -1;
  };

  it('makes users with several devices, who carry their owners’ tags', async () => {
    await seedApplication(database.url, { appId: 'shop', devices: 3_000 });
    expect(await count('true')).toBe(3_000);
    const [users] = await database.dataSource.query('SELECT count(*)::int AS n FROM users');
    expect(users.n).toBeLessThan(2_500);
    const [odd] = await database.dataSource.query(
      'SELECT count(*)::int AS n FROM installations i JOIN users u USING (app_id, user_id) WHERE i.tags <> u.tags',
    );
    expect(odd.n).toBe(0);
    expect(await count(`device_type = 'ios' AND os_version_key IS NOT NULL`)).toBeGreaterThan(500);
    expect(await count('usable_vendor IS NULL')).toBeGreaterThan(30);
  });

  it('replaces what it made before, and puts every index back after a large load', async () => {
    const indexes = `SELECT indexdef FROM pg_indexes WHERE tablename = 'installations' ORDER BY 1`;
    const before: unknown = await database.dataSource.query(indexes);
    await seedApplication(database.url, { appId: 'shop', devices: 20_000, reachable: true, mix: { fcm: 1 } });
    expect(await count(`usable_vendor = 'fcm'`)).toBe(20_000);
    expect(await count('true')).toBe(20_000);
    expect(await database.dataSource.query(indexes)).toEqual(before);
  });

  it('leaves people alone whose ids only begin like those of seeded users', async () => {
    const own = ['user-anna', 'user-12a', 'user-'];
    await database.dataSource.query(`INSERT INTO users (app_id, user_id) SELECT 'shop', unnest($1::text[])`, [own]);
    await database.dataSource.query(
      `INSERT INTO installations (app_id, installation_id, user_id, device_type)
       SELECT 'shop', gen_random_uuid(), unnest($1::text[]), 'android'`,
      [own],
    );
    await seedApplication(database.url, { appId: 'shop', devices: 100 });
    const left: unknown = await database.dataSource.query(
      `SELECT u.user_id FROM users u JOIN installations i USING (app_id, user_id) WHERE user_id = ANY ($1) ORDER BY 1`,
      [own],
    );
    expect(left).toEqual([...own].sort().map((user_id) => ({ user_id })));
    for (const table of ['installations', 'users'])
      await database.dataSource.query(`DELETE FROM ${table} WHERE user_id = ANY ($1)`, [own]);
  });

  it('makes no token that the vendor simulator takes for an order to refuse it', async () => {
    await seedApplication(database.url, { appId: 'shop', devices: 1_000, reachable: true, mix: { fcm: 1 } });
    expect(await count(`token LIKE 'c%:APA91b%'`)).toBe(1_000);
  });

  it('refuses an application that does not exist', async () => {
    await expect(seedApplication(database.url, { appId: 'nobody', devices: 1 })).rejects.toThrow(
      'no application "nobody"',
    );
  });

  const million = process.env.POSTRIDER_SEED_MILLION ? it : it.skip;
  million('prints its speed at a million devices', async () => {
    const speed = await seedApplication(database.url, { appId: 'shop', devices: 1_000_000 });
    console.log(`${Math.round(speed)} devices/s`);
    expect(await count('true')).toBe(1_000_000);
  });
});
