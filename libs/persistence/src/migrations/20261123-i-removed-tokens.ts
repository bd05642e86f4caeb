import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Vendor tokens that were switched off: the report of uninstalled apps. */
export class RemovedTokens1795392000100 implements MigrationInterface {
  name = 'RemovedTokens1795392000100';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE removed_tokens`);
  }
}

const STATEMENTS = [
  // user_id: whose it was when it was switched off. dead_at: when the vendor called it dead.
  `CREATE TABLE removed_tokens (
    app_id text COLLATE "C" NOT NULL,
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    device_id bigint NOT NULL,
    installation_id uuid NOT NULL,
    device_type text,
    user_id text COLLATE "C" NOT NULL,
    dead_at timestamptz NOT NULL,
    PRIMARY KEY (app_id, id)
  )`,
  `CREATE INDEX removed_tokens_time ON removed_tokens (app_id, dead_at, id)`,
  `CREATE INDEX removed_tokens_user ON removed_tokens (app_id, user_id)`,
  `CREATE INDEX removed_tokens_age ON removed_tokens (dead_at)`,
];
