import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The channels that a session subscribed to: a registration that does not name them leaves the device in them. */
export class Subscribed1763830000000 implements MigrationInterface {
  name = 'Subscribed1763830000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // As public/<name> or private/<name>, without the default ones. Older sessions get theirs with their next change.
    await queryRunner.query(`ALTER TABLE connection_sessions
      ADD COLUMN channels text[] COLLATE "C" NOT NULL DEFAULT '{}'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE connection_sessions DROP COLUMN channels`);
  }
}
