import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Schedules, local times, rates and quiet hours. */
export class Steering1763790000000 implements MigrationInterface {
  name = 'Steering1763790000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of steering) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX installations_time_zone`);
    await queryRunner.query(`DROP TABLE paces`);
    await queryRunner.query(`ALTER TABLE pages DROP COLUMN is_steered, DROP COLUMN starts_at, DROP COLUMN expires_at,
      DROP COLUMN turn_at, DROP COLUMN turn_is_counted, DROP COLUMN admitted_fence`);
    await queryRunner.query(`ALTER TABLE messages DROP COLUMN rate, DROP COLUMN send_at, DROP COLUMN local_time,
      DROP COLUMN ttl_seconds, DROP COLUMN ignore_quiet_hours, DROP COLUMN planned_through`);
    await queryRunner.query(`ALTER TABLE applications DROP COLUMN devices_per_second, DROP COLUMN quiet_hours,
      DROP COLUMN default_time_zone`);
  }
}

const steering = [
  // quiet_hours: QuietHours (libs/domain). default_time_zone: where a device is that does not say where it is.
  `ALTER TABLE applications
    ADD COLUMN devices_per_second integer CHECK (devices_per_second > 0),
    ADD COLUMN quiet_hours jsonb,
    ADD COLUMN default_time_zone text`,

  // rate: devices per second. send_at: when the audience is resolved; with local_time (what clocks on the wall show then) the
  // moment of the first time zone, and ttl_seconds counts from each zone's own. planned_through: up to when pages of a paced
  // message are spread so far.
  `ALTER TABLE messages
    ADD COLUMN rate integer CHECK (rate > 0),
    ADD COLUMN send_at timestamptz,
    ADD COLUMN local_time timestamp,
    ADD COLUMN ttl_seconds integer,
    ADD COLUMN ignore_quiet_hours boolean NOT NULL DEFAULT false,
    ADD COLUMN planned_through timestamptz`,

  // is_steered: a worker asks for admission before it claims the page. admitted_fence: the fence at which the page was
  // admitted. turn_at: the turn that the page got; turn_is_counted: true if the application's limit has counted it.
  // starts_at, expires_at: the page's own, if a message begins at another moment in each time zone. A page of vendor
  // 'connection' holds devices whose own connection gets the message at not_before.
  `ALTER TABLE pages
    ADD COLUMN is_steered boolean NOT NULL DEFAULT false,
    ADD COLUMN starts_at timestamptz,
    ADD COLUMN expires_at timestamptz,
    ADD COLUMN turn_at timestamptz,
    ADD COLUMN turn_is_counted boolean NOT NULL DEFAULT false,
    ADD COLUMN admitted_fence integer`,

  // The state of a limit (PaceMark in libs/domain): of a message, or of an application under the nil id.
  `CREATE TABLE paces (
    app_id text COLLATE "C" NOT NULL REFERENCES applications ON DELETE CASCADE,
    message_id uuid NOT NULL,
    next_at timestamptz NOT NULL,
    passed_until timestamptz NOT NULL,
    PRIMARY KEY (app_id, message_id)
  ) WITH (fillfactor = 50)`,

  // The zones that an application's devices are in are read from here, one probe a zone.
  `CREATE INDEX installations_time_zone ON installations (app_id, time_zone)`,
];
