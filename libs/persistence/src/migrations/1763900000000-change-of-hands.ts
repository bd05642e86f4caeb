import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The former owners of devices, and the devices that changed their owner just now. */
export class ChangeOfHands1763900000000 implements MigrationInterface {
  name = 'ChangeOfHands1763900000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of doing) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of undoing) await queryRunner.query(statement);
  }
}

const doing = [
  // Who had a device, from `since` until `until`: deliveries of that time are theirs. Earlier changes are not known.
  `CREATE TABLE former_owners (
    app_id text COLLATE "C" NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    device_id bigint NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    since timestamptz NOT NULL,
    until timestamptz NOT NULL,
    PRIMARY KEY (app_id, id),
    FOREIGN KEY (app_id, device_id) REFERENCES installations ON DELETE CASCADE
  )`,
  `CREATE INDEX former_owners_device ON former_owners (app_id, device_id, until)`,
  `CREATE INDEX former_owners_user ON former_owners (app_id, user_id, device_id)`,
  // Devices that got another owner in the last minute: workers leave them out of pages that they work on.
  `CREATE UNLOGGED TABLE hand_overs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    app_id text COLLATE "C" NOT NULL,
    device_id bigint NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX hand_overs_at ON hand_overs (at)`,
  `CREATE FUNCTION hand_over() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO former_owners (app_id, device_id, user_id, since, until)
    VALUES (OLD.app_id, OLD.id, OLD.user_id, OLD.user_since, NEW.user_since);
    INSERT INTO hand_overs (app_id, device_id, user_id) VALUES (NEW.app_id, NEW.id, NEW.user_id);
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER installations_handed_over AFTER UPDATE OF user_id ON installations
    FOR EACH ROW WHEN (OLD.user_id IS DISTINCT FROM NEW.user_id) EXECUTE FUNCTION hand_over()`,
];

const undoing = [
  `DROP TRIGGER installations_handed_over ON installations`,
  `DROP FUNCTION hand_over()`,
  `DROP TABLE hand_overs, former_owners`,
];
