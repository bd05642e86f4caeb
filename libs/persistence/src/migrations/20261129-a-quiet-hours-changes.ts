import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When an application's quiet hours were changed, as long as deliveries may wait for the end of the former ones. */
export class QuietHoursChanges1795737642000 implements MigrationInterface {
  name = 'QuietHoursChanges1795737642000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE applications ADD COLUMN quiet_hours_changed_at timestamptz`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE applications DROP COLUMN quiet_hours_changed_at`);
  }
}
