import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages that a session was sent and did not acknowledge: they are sent again under the same packet identifiers. */
export class InFlight1763820000000 implements MigrationInterface {
  name = 'InFlight1763820000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // {message id: packet identifier} at the end of the last connection; null: nothing.
    await queryRunner.query(`ALTER TABLE connection_sessions ADD COLUMN in_flight jsonb`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE connection_sessions DROP COLUMN in_flight`);
  }
}
