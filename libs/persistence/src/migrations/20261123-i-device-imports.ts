import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Imported files of devices, and the mark of installations that only an import has registered. */
export class DeviceImports1795392000200 implements MigrationInterface {
  name = 'DeviceImports1795392000200';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE installations DROP COLUMN imported_at`);
    await queryRunner.query(`DROP TABLE device_import_errors, device_import_chunks, device_imports`);
  }
}

const STATEMENTS = [
  // kind: the format of the file. options: how its records are read. columns: of CSV, once the first record was read.
  // position: processed bytes; lines: the last processed line (of a document: elements). Both move with what they
  // changed.
  `CREATE TABLE device_imports (
    app_id text COLLATE "C" NOT NULL REFERENCES applications ON DELETE CASCADE,
    job_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('csv', 'ndjson', 'json')),
    options jsonb NOT NULL,
    status text NOT NULL DEFAULT 'uploading' CHECK (status IN ('uploading', 'working', 'done', 'failed')),
    reason text,
    columns text[],
    bytes bigint NOT NULL DEFAULT 0,
    position bigint NOT NULL DEFAULT 0,
    lines bigint NOT NULL DEFAULT 0,
    created bigint NOT NULL DEFAULT 0,
    updated bigint NOT NULL DEFAULT 0,
    unchanged bigint NOT NULL DEFAULT 0,
    skipped bigint NOT NULL DEFAULT 0,
    failed bigint NOT NULL DEFAULT 0,
    wake_at timestamptz,
    created_at timestamptz NOT NULL,
    finished_at timestamptz,
    PRIMARY KEY (app_id, job_id)
  )`,
  `CREATE INDEX device_imports_wake ON device_imports (wake_at) WHERE wake_at IS NOT NULL`,
  `CREATE TABLE device_import_chunks (
    app_id text COLLATE "C" NOT NULL,
    job_id uuid NOT NULL,
    number integer NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (app_id, job_id, number),
    FOREIGN KEY (app_id, job_id) REFERENCES device_imports ON DELETE CASCADE
  )`,
  `ALTER TABLE device_import_chunks ALTER COLUMN content SET STORAGE EXTERNAL`,
  `CREATE TABLE device_import_errors (
    app_id text COLLATE "C" NOT NULL,
    job_id uuid NOT NULL,
    line bigint NOT NULL,
    message text NOT NULL,
    PRIMARY KEY (app_id, job_id, line),
    FOREIGN KEY (app_id, job_id) REFERENCES device_imports ON DELETE CASCADE
  )`,
  // The token_registered_at that an import wrote: while both are equal, no device has registered since.
  `ALTER TABLE installations ADD COLUMN imported_at timestamptz`,
];
