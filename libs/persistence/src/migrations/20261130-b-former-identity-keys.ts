import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The identity key of an application can be replaced. The former one proves users for a while beside it. */
export class FormerIdentityKeys1795824090000 implements MigrationInterface {
  name = 'FormerIdentityKeys1795824090000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE applications ADD COLUMN former_identity_key_sealed bytea, ADD COLUMN former_identity_key_until timestamptz`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE applications DROP COLUMN former_identity_key_sealed, DROP COLUMN former_identity_key_until`,
    );
  }
}
