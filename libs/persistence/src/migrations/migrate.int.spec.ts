import { Secret } from '@postrider/platform';
import { createDatabaseInEncoding, createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../module/data-source';
import { inTransaction, rows } from '../database/executor';
import { migrate, migrationsThatRan } from './migrate';

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

  describe('tell the operator', () => {
    let database: ThrowAwayDatabase;
    let migrating: DataSource;

    beforeEach(async () => {
      database = await createThrowAwayDatabase();
      migrating = await createDataSource(new Secret(database.url), 2, { lockTimeoutMs: 50 }).initialize();
    });
    afterEach(async () => {
      await migrating.destroy();
      await database.drop();
    });
    const forget = (name: string) => rows(database.dataSource, 'DELETE FROM migrations WHERE name = $1', [name]);

    it('that one waits for a table, and not that it failed', async () => {
      const written = jest.spyOn(process.stdout, 'write');
      const lines: string[] = [];
      await forget('UncheckedLedger1795824060000');
      let ran: Promise<string[]> | undefined;
      await inTransaction(database.dataSource, async (executor) => {
        await rows(executor, 'LOCK TABLE messages IN ACCESS SHARE MODE');
        await new Promise<void>((waits) => {
          ran = migrate(migrating, (line) => waits(void lines.push(line)));
        });
      });
      expect(await ran).toEqual(['UncheckedLedger1795824060000']);
      // A machine that is slow to end the reading transaction makes it try more than once.
      const said = lines.map(
        (_, index) => `A migration waits for a table that other statements use (try ${index + 1} of 201).`,
      );
      expect(lines).toEqual(said);
      expect(written.mock.calls.map(String).join('\n')).not.toContain('failed');
      written.mockRestore();
    });

    it('which one failed, and why', async () => {
      const lines: string[] = [];
      await forget('First1763730000000');
      await expect(migrate(migrating, (line) => lines.push(line))).rejects.toThrow('already exists');
      expect(lines).toEqual([
        expect.stringMatching(/^Migration "First1763730000000" failed, error: .* already exists$/),
      ]);
    });
  });
});
