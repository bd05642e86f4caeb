import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How often a scheduled message was changed: whoever resolves it makes sure that it is still as they read it. A constant default
 * rewrites no row. A worker of the former version does not look at it.
 */
export class MessageRevision1795392000300 implements MigrationInterface {
  name = 'MessageRevision1795392000300';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE messages ADD COLUMN revision integer NOT NULL DEFAULT 0`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE messages DROP COLUMN revision`);
  }
}
