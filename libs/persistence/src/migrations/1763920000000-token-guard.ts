import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tokens that vendors call dead wait before they are switched off, and the answers of each vendor are counted. Also,
 * since when nothing is sent over a route.
 */
export class TokenGuard1763920000000 implements MigrationInterface {
  name = 'TokenGuard1763920000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of statements) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE token_answers');
    await queryRunner.query('ALTER TABLE route_states DROP COLUMN failing_since');
    await queryRunner.query('DROP INDEX quarantined_tokens_due');
    await queryRunner.query('ALTER TABLE quarantined_tokens DROP COLUMN due_at, DROP COLUMN is_silent');
    await queryRunner.query(`ALTER TABLE vendor_troubles DROP COLUMN watch_excess, DROP COLUMN watch_answers,
      DROP COLUMN watch_dead, DROP COLUMN quarantined_normal_share`);
  }
}

const statements = [
  // Every token that a vendor called dead is here until it is switched off, taken back or decided about. due_at: when
  // it is switched off, unless the application's quarantine at this vendor is in force; null: never automatically.
  // is_silent: the token had not been registered for so long that it may have died unnoticed.
  `ALTER TABLE quarantined_tokens ADD COLUMN due_at timestamptz, ADD COLUMN is_silent boolean NOT NULL DEFAULT false`,
  `CREATE INDEX quarantined_tokens_due ON quarantined_tokens (app_id, vendor, due_at)`,
  // The state that the guard of tokens keeps between answers; see docs/decisions/0015.
  `ALTER TABLE vendor_troubles ADD COLUMN watch_excess real NOT NULL DEFAULT 0,
    ADD COLUMN watch_answers integer NOT NULL DEFAULT 0, ADD COLUMN watch_dead integer NOT NULL DEFAULT 0,
    ADD COLUMN quarantined_normal_share real`,
  // What a vendor answered about tokens of an application in an hour. silent_*: of these, about silent tokens.
  // believed: tokens switched off in that hour, silent ones left out.
  `CREATE TABLE token_answers (
    app_id text COLLATE "C" NOT NULL REFERENCES applications ON DELETE CASCADE,
    vendor text NOT NULL,
    hour timestamptz NOT NULL,
    answers bigint NOT NULL DEFAULT 0,
    dead bigint NOT NULL DEFAULT 0,
    silent_answers bigint NOT NULL DEFAULT 0,
    silent_dead bigint NOT NULL DEFAULT 0,
    believed bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (app_id, vendor, hour)
  ) WITH (fillfactor = 70)`,
  // failing_since: since when all calls have failed, whatever the breaker says.
  `ALTER TABLE route_states ADD COLUMN failing_since timestamptz`,
  `CREATE INDEX token_answers_age ON token_answers (hour)`,
];
