import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages that people are writing. */
export class Drafts1795478400300 implements MigrationInterface {
  name = 'Drafts1795478400300';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE drafts`);
  }
}

const STATEMENTS = [
  // updated_by: an access token; null for an operator. revision: rises with each save.
  `CREATE TABLE drafts (
    app_id text COLLATE "C" NOT NULL REFERENCES applications ON DELETE CASCADE,
    draft_id uuid NOT NULL,
    name text NOT NULL,
    message jsonb NOT NULL,
    revision integer NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    updated_by uuid,
    PRIMARY KEY (app_id, draft_id)
  )`,
  `CREATE INDEX drafts_updated ON drafts (app_id, updated_at, draft_id)`,
];
