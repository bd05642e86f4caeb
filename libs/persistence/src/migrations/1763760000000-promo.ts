import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Promo sets: what was uploaded, the codes that are left to hand out, and who was given which. */
export class Promo1763760000000 implements MigrationInterface {
  name = 'Promo1763760000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...sets, ...assignments]) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE promo_assignments, promo_codes, promo_chunks, promo_sets`);
  }
}

const sets = [
  // One upload and the set that it became. track_id '' is the application's global set.
  // fence: how often a worker took the import on; its writes count only while the fence is still its own. attempts: how often
  // since it last got on.
  // wake_at: when somebody should see to it (upload broken off, import forsaken, codes to be deleted); null: nothing to do.
  // position, lines, loaded: bytes, lines and codes of the file that are in promo_codes; moved in the transaction that
  // copies them. total: different codes of the file; given_before: those of them that an earlier set of the same source had
  // handed out already: they stay with whom they were given to.
  // last_ordinal: the last code that was handed out; remaining: how many are behind it.
  // low_since: when remaining fell to low_stock_at or below.
  `CREATE TABLE promo_sets (
    app_id text COLLATE "C" NOT NULL REFERENCES applications ON DELETE CASCADE,
    set_id uuid NOT NULL,
    track_id text COLLATE "C" NOT NULL,
    state text NOT NULL DEFAULT 'uploading' CHECK (state IN ('uploading', 'importing', 'in_force', 'replaced', 'failed')),
    failure text CHECK (failure IN ('file', 'service')),
    reason text,
    bytes bigint NOT NULL DEFAULT 0,
    position bigint NOT NULL DEFAULT 0,
    lines bigint NOT NULL DEFAULT 0,
    loaded bigint NOT NULL DEFAULT 0,
    blocks integer NOT NULL DEFAULT 0,
    total bigint,
    given_before bigint NOT NULL DEFAULT 0,
    last_ordinal integer NOT NULL DEFAULT 0,
    remaining bigint NOT NULL DEFAULT 0,
    assigned bigint NOT NULL DEFAULT 0,
    low_stock_at bigint CHECK (low_stock_at >= 0),
    low_since timestamptz,
    fence integer NOT NULL DEFAULT 0,
    attempts integer NOT NULL DEFAULT 0,
    wake_at timestamptz,
    created_at timestamptz NOT NULL,
    in_force_at timestamptz,
    ended_at timestamptz,
    PRIMARY KEY (app_id, set_id)
  )`,
  // Which set is in force.
  `CREATE UNIQUE INDEX promo_sets_in_force ON promo_sets (app_id, track_id) WHERE state = 'in_force'`,
  `CREATE INDEX promo_sets_track ON promo_sets (app_id, track_id, created_at)`,
  `CREATE INDEX promo_sets_wake ON promo_sets (wake_at) WHERE wake_at IS NOT NULL`,
  // The file as it came, in pieces of one size. Gone as soon as they are imported.
  `CREATE TABLE promo_chunks (
    app_id text COLLATE "C" NOT NULL,
    set_id uuid NOT NULL,
    number integer NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (app_id, set_id, number),
    FOREIGN KEY (app_id, set_id) REFERENCES promo_sets ON DELETE CASCADE
  )`,
  `ALTER TABLE promo_chunks ALTER COLUMN content SET STORAGE EXTERNAL`,
  // Up to 128 codes a row, one a line, in the order of the file: a tenth of the size and of the time of a row a code. A
  // code's ordinal is number * 128 + its place in the row, from 1.
  `CREATE TABLE promo_codes (
    app_id text COLLATE "C" NOT NULL,
    set_id uuid NOT NULL,
    number integer NOT NULL,
    codes text COLLATE "C" NOT NULL,
    PRIMARY KEY (app_id, set_id, number),
    FOREIGN KEY (app_id, set_id) REFERENCES promo_sets ON DELETE CASCADE
  )`,
];

const assignments = [
  // Who was given which code by which message. It holds the code itself, so that a set can be deleted. set_id, ordinal
  // and code are null if every set was used up: a message asks once for a user. No foreign key, like deliveries: there
  // are too many rows.
  `CREATE TABLE promo_assignments (
    app_id text COLLATE "C" NOT NULL,
    message_id uuid NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    set_id uuid,
    ordinal integer,
    code text COLLATE "C",
    claimed_at timestamptz NOT NULL,
    PRIMARY KEY (app_id, message_id, user_id)
  )`,
  // Guarantees that no code is given twice.
  `CREATE UNIQUE INDEX promo_assignments_set ON promo_assignments (app_id, set_id, ordinal) WHERE set_id IS NOT NULL`,
  `CREATE INDEX promo_assignments_user ON promo_assignments (app_id, user_id, message_id)`,
  `CREATE INDEX promo_assignments_age ON promo_assignments USING brin (claimed_at)`,
];
