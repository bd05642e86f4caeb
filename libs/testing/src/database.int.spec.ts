import { createThrowAwayDatabase } from './database';

describe('a throw-away database', () => {
  it('is migrated, and two of them share nothing', async () => {
    const [one, other] = await Promise.all([createThrowAwayDatabase(), createThrowAwayDatabase()]);
    try {
      await one.dataSource.query(
        `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('shop', 'Shop', '')`,
      );
      expect(await one.dataSource.query('SELECT app_id FROM applications')).toEqual([{ app_id: 'shop' }]);
      expect(await other.dataSource.query('SELECT app_id FROM applications')).toEqual([]);
    } finally {
      await Promise.all([one.drop(), other.drop()]);
    }
  });
});
