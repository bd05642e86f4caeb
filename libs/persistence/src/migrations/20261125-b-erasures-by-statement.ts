import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * While nobody is being erased, the triggers no longer look rows of users and installations up in `erasures` one by
 * one: they check once per statement if there is an erasure at all. A batch of an import writes thousands of rows.
 *
 * The check first takes the lock on `erasures` that an erasure waits for, and the transaction keeps it to its end. So
 * an erasure that the check missed waits for this transaction, and erases what it wrote, as it did with one check per
 * row. The answer "none" is valid for all of the transaction.
 */
export class ErasuresByStatement1795478490000 implements MigrationInterface {
  name = 'ErasuresByStatement1795478490000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(NOTE_ERASURES);
    for (const [table, ofRow, ofStatement] of TRIGGERS) {
      await queryRunner.query(
        `CREATE TRIGGER ${ofStatement} BEFORE INSERT ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION note_erasures()`,
      );
      await queryRunner.query(
        `CREATE OR REPLACE TRIGGER ${ofRow} BEFORE INSERT ON ${table} FOR EACH ROW
         WHEN (current_setting('postrider.erasures', true) IS DISTINCT FROM 'none') EXECUTE FUNCTION refuse_erased_user()`,
      );
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [table, ofRow, ofStatement] of TRIGGERS) {
      await queryRunner.query(
        `CREATE OR REPLACE TRIGGER ${ofRow} BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse_erased_user()`,
      );
      await queryRunner.query(`DROP TRIGGER ${ofStatement} ON ${table}`);
    }
    await queryRunner.query(`DROP FUNCTION note_erasures()`);
  }
}

const TRIGGERS = [
  ['users', 'users_erased', 'users_while_erasing'],
  ['installations', 'installations_of_erased', 'installations_while_erasing'],
] as const;

/**
 * An erasure whose process died counts too: another process may take it over. The setting ends with the transaction, as
 * the lock does.
 */
const NOTE_ERASURES = `
  CREATE FUNCTION note_erasures() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF current_setting('postrider.erasures', true) IS DISTINCT FROM 'none' THEN
      PERFORM FROM erasures LIMIT 1;
      PERFORM set_config('postrider.erasures', CASE WHEN FOUND THEN 'some' ELSE 'none' END, true);
    END IF;
    RETURN NULL;
  END $$`;
