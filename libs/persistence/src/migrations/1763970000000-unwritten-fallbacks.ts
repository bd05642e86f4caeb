import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells a fallback that was only claimed from one whose provider may have been called, and counts repeated sends. */
export class UnwrittenFallbacks1763970000000 implements MigrationInterface {
  name = 'UnwrittenFallbacks1763970000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // is_unwritten: claimed for sending, and its request is not written yet. A worker of an earlier version does not
    // set it, so a fallback that it leaves behind may have been written. resent: how often it was sent again although
    // nobody knew whether the provider had accepted it.
    await queryRunner.query(
      `ALTER TABLE fallbacks ADD COLUMN is_unwritten boolean NOT NULL DEFAULT false,
         ADD COLUMN resent smallint NOT NULL DEFAULT 0`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE fallbacks DROP COLUMN is_unwritten, DROP COLUMN resent`);
  }
}
