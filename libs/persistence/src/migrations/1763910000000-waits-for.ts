import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Why a page waits, for reports about its devices. A column without a default: no table is rewritten. */
export class WaitsFor1763910000000 implements MigrationInterface {
  name = 'WaitsFor1763910000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // Null: for its turn, or for another attempt.
    await queryRunner.query(`ALTER TABLE pages ADD COLUMN waits_for text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE pages DROP COLUMN waits_for`);
  }
}
