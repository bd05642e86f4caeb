import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from './build-index';

/** How big saved segments were over time, and indexes of pages that are read often. */
export class SegmentSizes1763860000000 implements MigrationInterface {
  name = 'SegmentSizes1763860000000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of sizes) await queryRunner.query(statement);
    for (const [table, name, definition] of indexes) await buildIndex(queryRunner, { table, name, definition });
    await dropIndex(queryRunner, 'pages', 'pages_open');
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
  // devices: all that match; reachable: those of them that a message would be sent to. users: null if counting them
  // would have taken too long.
  `CREATE TABLE IF NOT EXISTS segment_sizes (
    app_id text COLLATE "C" NOT NULL,
    segment_id uuid NOT NULL,
    measured_at timestamptz NOT NULL,
    devices bigint NOT NULL,
    reachable bigint NOT NULL,
    users bigint,
    PRIMARY KEY (app_id, segment_id, measured_at),
    FOREIGN KEY (app_id, segment_id) REFERENCES segments ON DELETE CASCADE
  )`,
  // When the segment is measured next: at once if it is new or changed. While it is being measured: when the
  // measurement is given up.
  `ALTER TABLE segments ADD COLUMN IF NOT EXISTS measure_at timestamptz NOT NULL DEFAULT now()`,
  `CREATE INDEX IF NOT EXISTS segments_measure ON segments (measure_at)`,
];

const indexes = [
  // The open pages of a message in the order of their devices, which each page holds in order.
  ['pages', 'pages_open_devices', `(app_id, message_id, (device_ids[1])) WHERE state <> 'finished'`],
  // A message's devices in one of the rare states. Most devices are sent or delivered.
  [
    'deliveries',
    'deliveries_by_state',
    `(app_id, message_id, state, device_id)
      WHERE state IN ('failed', 'expired', 'skipped', 'cancelled', 'shown', 'dismissed', 'opened')`,
  ],
  // Campaigns among any number of messages to single users.
  ['messages', 'messages_campaigns', `(app_id, id) WHERE is_campaign`],
  ['campaigns', 'campaigns_newest', `(app_id, campaign_id)`],
  ['webhook_events', 'webhook_events_failed', `(app_id, webhook_id, created_at, event_id) WHERE state = 'failed'`],
] as const;
