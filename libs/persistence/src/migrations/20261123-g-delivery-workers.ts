import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The running delivery workers; see docs/decisions/0024. Older processes neither write nor read it. */
export class DeliveryWorkers1795420000000 implements MigrationInterface {
  name = 'DeliveryWorkers1795420000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE UNLOGGED TABLE delivery_workers (
      worker_id text PRIMARY KEY,
      began_at timestamptz NOT NULL DEFAULT now()
    )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE delivery_workers`);
  }
}
