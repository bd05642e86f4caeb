import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How big saved segments were over time, and indexes of pages that are read often. */
export class SegmentSizes1763860000000 implements MigrationInterface {
  name = 'SegmentSizes1763860000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // An index of a month of deliveries takes its time.
    await queryRunner.query(`SET LOCAL statement_timeout = 0`);
    for (const statement of [...sizes, ...indexes]) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE INDEX pages_open ON pages (app_id, message_id) WHERE state <> 'finished'`);
    await queryRunner.query(`DROP INDEX pages_open_devices, deliveries_by_state, messages_campaigns, campaigns_newest,
      webhook_events_failed`);
    await queryRunner.query(`DROP TABLE segment_sizes`);
    await queryRunner.query(`ALTER TABLE segments DROP COLUMN measure_at`);
  }
}

const sizes = [
  // devices: all that match; reachable: those of them that a message would be sent to. users: null when counting them would
  // have taken too long.
  `CREATE TABLE segment_sizes (
    app_id text COLLATE "C" NOT NULL,
    segment_id uuid NOT NULL,
    measured_at timestamptz NOT NULL,
    devices bigint NOT NULL,
    reachable bigint NOT NULL,
    users bigint,
    PRIMARY KEY (app_id, segment_id, measured_at),
    FOREIGN KEY (app_id, segment_id) REFERENCES segments ON DELETE CASCADE
  )`,
  // When the segment is to be measured next: at once when it is new or changed. While it is being measured: when that was
  // given up.
  `ALTER TABLE segments ADD COLUMN measure_at timestamptz NOT NULL DEFAULT now()`,
  `CREATE INDEX segments_measure ON segments (measure_at)`,
];

const indexes = [
  // The open pages of a message in the order of their devices, which each page holds in order.
  `CREATE INDEX pages_open_devices ON pages (app_id, message_id, (device_ids[1])) WHERE state <> 'finished'`,
  `DROP INDEX pages_open`,
  // A message's devices in one of the states that few are in. What is sent or delivered most of them are.
  `CREATE INDEX deliveries_by_state ON deliveries (app_id, message_id, state, device_id)
    WHERE state IN ('failed', 'expired', 'skipped', 'cancelled', 'shown', 'dismissed', 'opened')`,
  // Campaigns among however many messages to single users.
  `CREATE INDEX messages_campaigns ON messages (app_id, id) WHERE is_campaign`,
  `CREATE INDEX campaigns_newest ON campaigns (app_id, campaign_id)`,
  `CREATE INDEX webhook_events_failed ON webhook_events (app_id, webhook_id, created_at, event_id) WHERE state = 'failed'`,
];
