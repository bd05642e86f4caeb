import { createDatabaseInEncoding } from '@postrider/testing';
import { migrate, migrationsThatRan } from './data-source';

describe('the migrations', () => {
  it.each(['LATIN1', 'SQL_ASCII'])(
    'refuse a new database that stores text as %s, and change nothing',
    async (encoding) => {
      const database = await createDatabaseInEncoding(encoding);
      await expect(migrate(database.dataSource)).rejects.toThrow(
        `The database has the encoding ${encoding}, which cannot store every text. Make one with UTF8`,
      );
      expect(await migrationsThatRan(database.dataSource)).toEqual([]);
      await database.drop();
    },
  );
});
