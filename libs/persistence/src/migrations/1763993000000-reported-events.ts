import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events that devices reported in the last days, by which a repeated report is recognised. */
export class ReportedEvents1763993000000 implements MigrationInterface {
  name = 'ReportedEvents1763993000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // digest: of the device and of all that tells the event from its others. day: in UTC, when it was first reported.
    await queryRunner.query(`CREATE TABLE reported_events (
      app_id text COLLATE "C" NOT NULL,
      user_id text COLLATE "C" NOT NULL,
      digest bytea NOT NULL,
      day date NOT NULL,
      PRIMARY KEY (app_id, user_id, digest, day)
    ) PARTITION BY RANGE (day)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE reported_events`);
  }
}
