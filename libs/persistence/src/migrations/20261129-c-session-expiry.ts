import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How long the session of a connected device outlives its connection: its edge may be killed, and cannot tell then. */
export class SessionExpiry1795824000000 implements MigrationInterface {
  name = 'SessionExpiry1795824000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE connection_sessions ADD COLUMN expiry_seconds bigint`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE connection_sessions DROP COLUMN expiry_seconds`);
  }
}
