import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A segment that two people edit is not overwritten: a change may name the revision that it was made from. */
export class SegmentRevisions1795737620000 implements MigrationInterface {
  name = 'SegmentRevisions1795737620000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE segments ADD COLUMN revision integer NOT NULL DEFAULT 1`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE segments DROP COLUMN revision`);
  }
}
