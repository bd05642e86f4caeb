import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The name by which a person finds the import of a file again. */
export class ImportNames1795737610000 implements MigrationInterface {
  name = 'ImportNames1795737610000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE device_imports ADD COLUMN name text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE device_imports DROP COLUMN name`);
  }
}
