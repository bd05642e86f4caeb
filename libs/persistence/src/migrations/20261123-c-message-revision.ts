import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How often a scheduled message was changed: the worker that resolves it checks that it is still as it read it. A
 * constant default rewrites no row. A worker of the former version does not check it.
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
