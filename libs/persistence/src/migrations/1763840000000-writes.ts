import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A device that registers again, or connects again, on the same day changes no indexed column any more: PostgreSQL then
 * writes the row alone (heap-only) and leaves nine indexes in peace. Writes `installations` anew, which takes a lock on it: about
 * ten seconds for a million devices.
 */
export class Writes1763840000000 implements MigrationInterface {
  name = 'Writes1763840000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [
      // The day of launch_time, in UTC, stands for it in the index.
      `ALTER TABLE installations
         ADD COLUMN launch_day date NOT NULL GENERATED ALWAYS AS ((launch_time AT TIME ZONE 'UTC')::date) STORED`,
      `DROP INDEX installations_launch_time`,
      `CREATE INDEX installations_launch_day ON installations (app_id, launch_day)`,
    ]) {
      await queryRunner.query(statement);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE installations DROP COLUMN launch_day`);
    await queryRunner.query(`CREATE INDEX installations_launch_time ON installations (app_id, launch_time)`);
  }
}
