import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Saved segments, files of tags that are worked in the background, and what finds the traces of one user. */
export class Audience1763740000000 implements MigrationInterface {
  name = 'Audience1763740000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...segments, ...tagJobs, ...traces]) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE tag_job_errors, tag_job_chunks, tag_jobs, segments`);
    await queryRunner.query(`DROP INDEX link_opens_user, messages_groups`);
  }
}

const segments = [
  // target and segment as a request writes them, validated; a message that names the segment carries a copy.
  `CREATE TABLE segments (
    app_id text COLLATE "C" NOT NULL REFERENCES applications ON DELETE CASCADE,
    segment_id uuid NOT NULL,
    name text COLLATE "C" NOT NULL,
    target jsonb,
    segment jsonb,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_id, segment_id),
    CHECK (target IS NOT NULL OR segment IS NOT NULL)
  )`,
  `CREATE UNIQUE INDEX segments_name ON segments (app_id, name)`,
];

const tagJobs = [
  // position, lines: what is worked, in bytes and in lines; moved in the transaction that changes the tags, so that every
  // line counts once however often a worker dies. columns: what a CSV file's columns hold, once its first line was read.
  // wake_at: when recovery should see to the job (forsaken, its upload broken off, or kept long enough).
  `CREATE TABLE tag_jobs (
    app_id text COLLATE "C" NOT NULL REFERENCES applications ON DELETE CASCADE,
    job_id uuid NOT NULL,
    format text NOT NULL CHECK (format IN ('csv', 'ndjson')),
    operation text NOT NULL CHECK (operation IN ('add', 'remove')),
    status text NOT NULL DEFAULT 'uploading' CHECK (status IN ('uploading', 'working', 'done', 'failed')),
    reason text,
    columns text[],
    bytes bigint NOT NULL DEFAULT 0,
    position bigint NOT NULL DEFAULT 0,
    lines bigint NOT NULL DEFAULT 0,
    failed_lines bigint NOT NULL DEFAULT 0,
    users_changed bigint NOT NULL DEFAULT 0,
    devices_changed bigint NOT NULL DEFAULT 0,
    unknown_users bigint NOT NULL DEFAULT 0,
    wake_at timestamptz,
    created_at timestamptz NOT NULL,
    finished_at timestamptz,
    PRIMARY KEY (app_id, job_id)
  )`,
  `CREATE INDEX tag_jobs_wake ON tag_jobs (wake_at) WHERE wake_at IS NOT NULL`,
  // The file as it came, in pieces of one size. Gone as soon as they are worked.
  `CREATE TABLE tag_job_chunks (
    app_id text COLLATE "C" NOT NULL,
    job_id uuid NOT NULL,
    number integer NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (app_id, job_id, number),
    FOREIGN KEY (app_id, job_id) REFERENCES tag_jobs ON DELETE CASCADE
  )`,
  `ALTER TABLE tag_job_chunks ALTER COLUMN content SET STORAGE EXTERNAL`,
  `CREATE TABLE tag_job_errors (
    app_id text COLLATE "C" NOT NULL,
    job_id uuid NOT NULL,
    line bigint NOT NULL,
    message text NOT NULL,
    PRIMARY KEY (app_id, job_id, line),
    FOREIGN KEY (app_id, job_id) REFERENCES tag_jobs ON DELETE CASCADE
  )`,
];

const traces = [
  `CREATE INDEX link_opens_user ON link_opens (app_id, user_id)`,
  // Messages that name no users: few, and each may have been delivered to anybody's device.
  `CREATE INDEX messages_groups ON messages (app_id, id) WHERE user_ids IS NULL`,
];
