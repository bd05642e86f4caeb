import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sign-ins, shared by all gateways: wrong tokens by address, and sessions that were ended early. */
export class SignIns1763950000000 implements MigrationInterface {
  name = 'SignIns1763950000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // Losing the counts in a crash costs nothing: they live for a minute.
    await queryRunner.query(`CREATE UNLOGGED TABLE sign_in_failures (
      address text COLLATE "C" PRIMARY KEY,
      failures integer NOT NULL,
      ends_at timestamptz NOT NULL
    )`);
    await queryRunner.query(`CREATE INDEX sign_in_failures_ended ON sign_in_failures (ends_at)`);
    await queryRunner.query(`CREATE TABLE ended_sessions (
      session_id uuid PRIMARY KEY,
      forget_at timestamptz NOT NULL
    )`);
    await queryRunner.query(`CREATE INDEX ended_sessions_forget ON ended_sessions (forget_at)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE ended_sessions, sign_in_failures`);
  }
}
