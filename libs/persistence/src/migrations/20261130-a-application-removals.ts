import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The removal of an application is recorded in its row, so that a worker finishes what a gateway has begun:
 * `removal_id` is the process that deletes now, and has to say so again before `removal_until`.
 */
export class ApplicationRemovals1795824080000 implements MigrationInterface {
  name = 'ApplicationRemovals1795824080000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE applications ADD COLUMN removal_began_at timestamptz, ADD COLUMN removal_id uuid,
         ADD COLUMN removal_until timestamptz`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE applications DROP COLUMN removal_began_at, DROP COLUMN removal_id, DROP COLUMN removal_until`,
    );
  }
}
