import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The text of a fallback SMS may be a user's own: its digest finds the SMS at a provider whose answer never came. */
export class FallbackTexts1795737630000 implements MigrationInterface {
  name = 'FallbackTexts1795737630000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE fallbacks ADD COLUMN text_digest bytea`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE fallbacks DROP COLUMN text_digest`);
  }
}
