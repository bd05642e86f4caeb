import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How often an import of promo codes was interrupted since its last progress: one without progress is given up. */
export class PromoInterruptions1764300012000 implements MigrationInterface {
  name = 'PromoInterruptions1764300012000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE promo_sets ADD COLUMN interruptions integer NOT NULL DEFAULT 0`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE promo_sets DROP COLUMN interruptions`);
  }
}
