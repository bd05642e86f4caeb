import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from './build-index';

/**
 * How often campaigns may reach a user, and which campaigns did lately. Constant defaults rewrite no row. A worker of
 * the former version neither counts nor applies the caps.
 */
export class FrequencyCaps1795478400000 implements MigrationInterface {
  name = 'FrequencyCaps1795478400000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
    await buildIndex(queryRunner, {
      name: 'messages_counted',
      table: 'messages',
      definition: `(app_id, expires_at) WHERE lane = 'campaign' OR content ->> 'countsTowardsCap' = 'true'`,
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX messages_counted`);
    await queryRunner.query(`DROP TABLE user_contacts`);
    await queryRunner.query(`ALTER TABLE pages DROP COLUMN is_counted`);
    await queryRunner.query(`ALTER TABLE applications DROP COLUMN frequency_caps, DROP COLUMN contacts_since`);
  }
}

const STATEMENTS = [
  // contacts_since: from when on every campaign is counted by user; null: none is counted.
  `ALTER TABLE applications ADD COLUMN IF NOT EXISTS frequency_caps jsonb NOT NULL DEFAULT '[]',
    ADD COLUMN IF NOT EXISTS contacts_since timestamptz`,
  `ALTER TABLE pages ADD COLUMN IF NOT EXISTS is_counted boolean NOT NULL DEFAULT false`,
  // An entry for each device and each message, newest first: three arrays of the same length. Rows are changed in place.
  `CREATE TABLE IF NOT EXISTS user_contacts (
    app_id text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    message_ids uuid[] NOT NULL,
    device_ids bigint[] NOT NULL,
    times timestamptz[] NOT NULL,
    counted_since timestamptz NOT NULL,
    PRIMARY KEY (app_id, user_id)
  ) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.1)`,
];
