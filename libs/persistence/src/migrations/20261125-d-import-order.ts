import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The columns that make the later line of a file win, however the work on the file was divided, and the count of lines
 * that are imported without a value. All columns may be absent or have a constant default: no row is rewritten. A
 * worker of the former version does not use them.
 */
export class ImportOrder1795478510000 implements MigrationInterface {
  name = 'ImportOrder1795478510000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE device_imports DROP COLUMN incomplete`);
    await queryRunner.query(`ALTER TABLE users DROP COLUMN import_base, DROP COLUMN imported_at`);
  }
}

const STATEMENTS = [
  // imported_at: the updated_at that an import wrote; while both are equal, only imports have changed the user since.
  // import_base: what the user had before the first of these imports, and since when; null: an import made the user.
  `ALTER TABLE users ADD COLUMN IF NOT EXISTS imported_at timestamptz, ADD COLUMN IF NOT EXISTS import_base jsonb`,
  `ALTER TABLE device_imports ADD COLUMN IF NOT EXISTS incomplete bigint NOT NULL DEFAULT 0`,
];
