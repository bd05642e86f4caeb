import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users who are being erased: meanwhile nothing is written for them. Opted-out numbers as keyed hashes. */
export class Erasures1763980000000 implements MigrationInterface {
  name = 'Erasures1763980000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TRIGGER messages_of_erased ON messages`);
    await queryRunner.query(`DROP TRIGGER installations_of_erased ON installations`);
    await queryRunner.query(`DROP TRIGGER installations_to_erased ON installations`);
    await queryRunner.query(`DROP TRIGGER users_erased ON users`);
    await queryRunner.query(`DROP FUNCTION refuse_erased_users(), refuse_erased_user()`);
    await queryRunner.query(`DROP TABLE erasures`);
  }
}

/**
 * The error has a SQLSTATE and names nobody. A transaction that has run this holds a lock on `erasures` until it ends,
 * so that an erasure knows which transactions to wait for.
 */
const refusal = (name: string, condition: string): string => `
  CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM FROM erasures e WHERE e.app_id = NEW.app_id AND ${condition} AND e.ends_at > clock_timestamp();
    IF FOUND THEN
      RAISE EXCEPTION 'a user of this statement is being erased' USING ERRCODE = 'PR001';
    END IF;
    RETURN NEW;
  END $$`;

const STATEMENTS = [
  // One row for each erasure. ends_at: until when it is in force, extended while it runs; if its process died it is no
  // longer in force, but stays until the user is erased. device_ids: devices whose traces are still to be removed.
  `CREATE TABLE erasures (
    app_id text COLLATE "C" NOT NULL REFERENCES applications ON DELETE CASCADE,
    user_id text COLLATE "C" NOT NULL,
    erasure_id uuid NOT NULL,
    ends_at timestamptz NOT NULL,
    device_ids bigint[] NOT NULL DEFAULT '{}',
    PRIMARY KEY (app_id, user_id, erasure_id)
  )`,
  refusal('refuse_erased_user', 'e.user_id = NEW.user_id'),
  refusal('refuse_erased_users', 'e.user_id = ANY (NEW.user_ids)'),
  `CREATE TRIGGER users_erased BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION refuse_erased_user()`,
  `CREATE TRIGGER installations_of_erased BEFORE INSERT ON installations
    FOR EACH ROW EXECUTE FUNCTION refuse_erased_user()`,
  `CREATE TRIGGER installations_to_erased BEFORE UPDATE OF user_id ON installations
    FOR EACH ROW WHEN (OLD.user_id IS DISTINCT FROM NEW.user_id) EXECUTE FUNCTION refuse_erased_user()`,
  `CREATE TRIGGER messages_of_erased BEFORE INSERT ON messages
    FOR EACH ROW WHEN (NEW.user_ids IS NOT NULL) EXECUTE FUNCTION refuse_erased_users()`,
];
