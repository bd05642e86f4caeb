import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The state that the guard of tokens keeps about shares of dead answers slightly above the normal one; see
 * docs/decisions/0015.
 */
export class TokenDrift1764300001000 implements MigrationInterface {
  name = 'TokenDrift1764300001000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE vendor_troubles ADD COLUMN watch_drift real NOT NULL DEFAULT 0`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE vendor_troubles DROP COLUMN watch_drift`);
  }
}
