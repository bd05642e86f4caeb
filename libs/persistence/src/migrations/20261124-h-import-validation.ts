import type { MigrationInterface, QueryRunner } from 'typeorm';

/** FCM's answers about the vendor tokens of a file that is validated during its import. */
export class ImportValidation1795478470000 implements MigrationInterface {
  name = 'ImportValidation1795478470000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE device_imports
      ADD COLUMN IF NOT EXISTS valid_tokens bigint NOT NULL DEFAULT 0,
      ADD COLUMN IF NOT EXISTS invalid_tokens bigint NOT NULL DEFAULT 0,
      ADD COLUMN IF NOT EXISTS unanswered_tokens bigint NOT NULL DEFAULT 0,
      ADD COLUMN IF NOT EXISTS validation_error text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE device_imports DROP COLUMN valid_tokens, DROP COLUMN invalid_tokens,
      DROP COLUMN unanswered_tokens, DROP COLUMN validation_error`);
  }
}
