import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Content of messages that is saved under names, in versions. */
export class Templates1795478400310 implements MigrationInterface {
  name = 'Templates1795478400310';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE template_versions, templates`);
  }
}

const STATEMENTS = [
  // version: the newest one.
  `CREATE TABLE templates (
    app_id text COLLATE "C" NOT NULL REFERENCES applications ON DELETE CASCADE,
    template_id uuid NOT NULL,
    name text NOT NULL,
    description text,
    version integer NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (app_id, template_id),
    CONSTRAINT templates_name UNIQUE (app_id, name)
  )`,
  // created_by: an access token; null for an operator.
  `CREATE TABLE template_versions (
    app_id text COLLATE "C" NOT NULL,
    template_id uuid NOT NULL,
    version integer NOT NULL,
    message jsonb NOT NULL,
    variables jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    created_by uuid,
    PRIMARY KEY (app_id, template_id, version),
    FOREIGN KEY (app_id, template_id) REFERENCES templates ON DELETE CASCADE
  )`,
];
