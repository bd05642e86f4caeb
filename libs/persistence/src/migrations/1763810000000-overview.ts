import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the panel's first page is read from. */
export class Overview1763810000000 implements MigrationInterface {
  name = 'Overview1763810000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // How fast an application's devices are being sent to: the pages that were finished in the last minutes.
    await queryRunner.query(`CREATE INDEX pages_finished ON pages (app_id, finished_at) WHERE finished_at IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX pages_finished`);
  }
}
