import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many workers a page has lost. */
export class PageLosses1763870000000 implements MigrationInterface {
  name = 'PageLosses1763870000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // Leases that ended without a result, and whose owner never said that it is alive.
    await queryRunner.query(`ALTER TABLE pages ADD COLUMN losses smallint NOT NULL DEFAULT 0`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE pages DROP COLUMN losses`);
  }
}
