import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from './build-index';

/** Rows of `installations` that one statement fills in. */
const ROWS_AT_ONCE = 5_000;

/**
 * A device that registers or connects again on the same day no longer changes an indexed column: PostgreSQL then writes
 * the row alone (heap-only) and leaves nine indexes unchanged.
 *
 * A trigger writes the day: adding a generated column would rewrite the whole table under a lock.
 */
export class Writes1763840000000 implements MigrationInterface {
  name = 'Writes1763840000000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(ADD_COLUMN);
    await fillIn(queryRunner);
    for (const statement of NEVER_NULL) await queryRunner.query(statement);
    const [table, definition] = ['installations', '(app_id, launch_day)'];
    await buildIndex(queryRunner, { name: 'installations_launch_day', table, definition });
    await dropIndex(queryRunner, table, 'installations_launch_time');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const [table, definition] = ['installations', '(app_id, launch_time)'];
    await buildIndex(queryRunner, { name: 'installations_launch_time', table, definition });
    await queryRunner.query(`DROP TRIGGER IF EXISTS installations_launched ON installations`);
    await queryRunner.query(`ALTER TABLE installations DROP COLUMN IF EXISTS launch_day`);
    await queryRunner.query(`DROP FUNCTION IF EXISTS keep_launch_day()`);
  }
}

/** One transaction, and a lock for a moment: no row is touched. The trigger also runs where rows are copied without triggers. */
const ADD_COLUMN = `
  ALTER TABLE installations ADD COLUMN IF NOT EXISTS launch_day date;
  CREATE OR REPLACE FUNCTION keep_launch_day() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.launch_day := (NEW.launch_time AT TIME ZONE 'UTC')::date;
    RETURN NEW;
  END $$;
  DROP TRIGGER IF EXISTS installations_launched ON installations;
  CREATE TRIGGER installations_launched BEFORE INSERT OR UPDATE OF launch_time ON installations
    FOR EACH ROW EXECUTE FUNCTION keep_launch_day();
  ALTER TABLE installations ENABLE ALWAYS TRIGGER installations_launched`;

/** The table is read while it may be written; the last step finds the constraint and does not read it again. */
const NEVER_NULL = [
  `ALTER TABLE installations DROP CONSTRAINT IF EXISTS installations_launch_day_known`,
  `ALTER TABLE installations ADD CONSTRAINT installations_launch_day_known CHECK (launch_day IS NOT NULL) NOT VALID`,
  `ALTER TABLE installations VALIDATE CONSTRAINT installations_launch_day_known`,
  `ALTER TABLE installations ALTER COLUMN launch_day SET NOT NULL`,
  `ALTER TABLE installations DROP CONSTRAINT installations_launch_day_known`,
];

/** Fills in the existing rows, in batches by primary key, each in a transaction of its own. */
async function fillIn(queryRunner: QueryRunner): Promise<void> {
  let after: { app_id: string; id: string } | undefined = { app_id: '', id: '0' };
  while (after !== undefined) {
    const [next] = (await queryRunner.query(
      `WITH portion AS MATERIALIZED (
         SELECT app_id, id FROM installations WHERE (app_id, id) > ($1, $2::bigint) ORDER BY app_id, id LIMIT ${ROWS_AT_ONCE}
       ), filled AS (
         UPDATE installations i SET launch_day = (i.launch_time AT TIME ZONE 'UTC')::date
         FROM portion p WHERE i.app_id = p.app_id AND i.id = p.id AND i.launch_day IS NULL
       )
       SELECT app_id, id::text FROM portion ORDER BY app_id DESC, id DESC LIMIT 1`,
      [after.app_id, after.id],
    )) as { app_id: string; id: string }[];
    after = next;
  }
}
