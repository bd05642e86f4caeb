import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which installations have proved their user, and what an application allows to those that have not. */
export class UserProof1763880000000 implements MigrationInterface {
  name = 'UserProof1763880000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE installations DROP COLUMN user_proof`);
    await queryRunner.query(`ALTER TABLE applications DROP COLUMN least_proof, DROP COLUMN user_hash_required_at,
      DROP COLUMN client_tags, DROP COLUMN protected_attributes`);
  }
}

const STATEMENTS = [
  // user_proof: 2 if the installation showed its user's hash, 0 if it did not, 1 if nobody knows, because it registered
  // with a version that did not record it. A constant default is added without writing a row.
  `ALTER TABLE installations ADD COLUMN user_proof smallint NOT NULL DEFAULT 1`,
  // user_hash_required_at: when the application began to require the hash; null: never, or before it was recorded.
  // least_proof: what an installation needs to get messages. An application that required the hash before goes on
  // trusting the installations that it had then.
  `ALTER TABLE applications
    ADD COLUMN client_tags text NOT NULL DEFAULT 'own' CHECK (client_tags IN ('own', 'any', 'none')),
    ADD COLUMN protected_attributes text[] COLLATE "C" NOT NULL DEFAULT '{phone}',
    ADD COLUMN user_hash_required_at timestamptz`,
  `ALTER TABLE applications ADD COLUMN least_proof smallint NOT NULL GENERATED ALWAYS AS (
    CASE WHEN NOT require_user_hash THEN 0 WHEN user_hash_required_at IS NULL THEN 1 ELSE 2 END) STORED`,
];
