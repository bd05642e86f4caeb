import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * From which line of which file a device and a user were written last, so that the same file again changes nothing. All
 * columns may be absent: no row is rewritten. A worker of the former version does not use them.
 */
export class ImportLines1795824040000 implements MigrationInterface {
  name = 'ImportLines1795824040000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE users DROP COLUMN imported_line, DROP COLUMN imported_file`);
    await queryRunner.query(`ALTER TABLE installations DROP COLUMN imported_line, DROP COLUMN imported_file`);
    await queryRunner.query(`ALTER TABLE device_imports DROP COLUMN fingerprint`);
  }
}

const STATEMENTS = [
  // fingerprint: the same for files with the same bytes that are read in the same way; null: an older file.
  `ALTER TABLE device_imports ADD COLUMN IF NOT EXISTS fingerprint bigint`,
  `ALTER TABLE installations ADD COLUMN IF NOT EXISTS imported_file bigint, ADD COLUMN IF NOT EXISTS imported_line bigint`,
  `ALTER TABLE users ADD COLUMN IF NOT EXISTS imported_file bigint, ADD COLUMN IF NOT EXISTS imported_line bigint`,
];
