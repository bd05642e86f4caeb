import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Publishes of QoS 2 that an edge accepted and the device has not released, for the device's next connection. */
export class UnreleasedPublishes1795824030000 implements MigrationInterface {
  name = 'UnreleasedPublishes1795824030000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE connection_sessions ADD COLUMN unreleased jsonb`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE connection_sessions DROP COLUMN unreleased`);
  }
}
