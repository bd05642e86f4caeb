import type { MigrationInterface, QueryRunner } from 'typeorm';

/** With which credentials an SMS was written: after a change the provider may be asked about an SMS of another account. */
export class FallbackCredentials1795737652000 implements MigrationInterface {
  name = 'FallbackCredentials1795737652000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE fallbacks ADD COLUMN credentials_revision bigint`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE fallbacks DROP COLUMN credentials_revision`);
  }
}
