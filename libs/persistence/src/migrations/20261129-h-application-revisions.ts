import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Settings that two operators change are not overwritten: a change may name the revision that it was made from. The column is not
 * called `revision`: delivery workers of the version before join `applications` with credentials that have one.
 */
export class ApplicationRevisions1795824050000 implements MigrationInterface {
  name = 'ApplicationRevisions1795824050000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE applications ADD COLUMN settings_revision integer NOT NULL DEFAULT 1`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE applications DROP COLUMN settings_revision`);
  }
}
