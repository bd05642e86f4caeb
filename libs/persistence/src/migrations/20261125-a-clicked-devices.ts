import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Devices that chose anything of a message count once, whatever the number of actions and links: `clicked` beside each
 * `action` and `link`. No statement locks a table for longer than the change of its catalogue entry takes; existing
 * rows are counted without a lock. Each statement may be repeated. Processes of the former version keep working: a
 * device that clicks for the first time while they run is counted when it clicks again.
 */
export class ClickedDevices1795478480000 implements MigrationInterface {
  name = 'ClickedDevices1795478480000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM delivery_clicks WHERE kind = 'clicked'`);
    await queryRunner.query(`DELETE FROM message_counts WHERE kind = 'clicked'`);
    await queryRunner.query(`ALTER TABLE delivery_clicks DROP CONSTRAINT delivery_clicks_kind_check,
      ADD CONSTRAINT delivery_clicks_kind_check CHECK (kind IN ('action', 'link'))`);
    await queryRunner.query(`ALTER TABLE message_counts DROP CONSTRAINT message_counts_kind_check,
      ADD CONSTRAINT message_counts_kind_check CHECK (kind IN ('delivered', 'shown', 'opened', 'dismissed', 'action', 'link', 'click',
        'conversion'))`);
  }
}

const STATEMENTS = [
  // Existing rows satisfy the narrower constraint of before, so none needs a check.
  `ALTER TABLE delivery_clicks DROP CONSTRAINT IF EXISTS delivery_clicks_kind_check,
    ADD CONSTRAINT delivery_clicks_kind_check CHECK (kind IN ('action', 'link', 'clicked')) NOT VALID`,
  `ALTER TABLE message_counts DROP CONSTRAINT IF EXISTS message_counts_kind_check,
    ADD CONSTRAINT message_counts_kind_check CHECK (kind IN ('delivered', 'shown', 'opened', 'dismissed', 'action', 'link', 'click',
      'clicked', 'conversion')) NOT VALID`,
  `ALTER TABLE delivery_clicks VALIDATE CONSTRAINT delivery_clicks_kind_check`,
  `ALTER TABLE message_counts VALIDATE CONSTRAINT message_counts_kind_check`,
  // As record-receipts.statement.ts counts: in the hour of the first click, never before the message was accepted.
  `WITH added AS (
    INSERT INTO delivery_clicks (app_id, message_id, device_id, kind, name_key, name, first_at)
    SELECT app_id, message_id, device_id, 'clicked', '', '', min(first_at) FROM delivery_clicks
    WHERE kind IN ('action', 'link') GROUP BY app_id, message_id, device_id
    ON CONFLICT DO NOTHING
    RETURNING app_id, message_id, device_id, first_at,
      to_timestamp(('x' || left(replace(message_id::text, '-', ''), 12))::bit(48)::bigint / 1000.0) AS floor
  )
  INSERT INTO message_counts AS m (app_id, message_id, kind, name_key, hour, platform, count)
  SELECT a.app_id, a.message_id, 'clicked', '', date_trunc('hour', greatest(a.first_at, a.floor), 'UTC'),
    CASE WHEN i.device_type ~ '^(ios|iphone|ipad)' THEN 'ios' WHEN i.device_type ~ '^android' THEN 'android'
      WHEN i.device_type ~ '^(web|chrome|firefox|safari|edge|opera)' THEN 'web' ELSE 'other' END, count(*)
  FROM added a LEFT JOIN installations i ON i.app_id = a.app_id AND i.id = a.device_id
  GROUP BY 1, 2, 5, 6 ORDER BY 1, 2, 5, 6
  ON CONFLICT (app_id, message_id, kind, name_key, hour, platform) DO UPDATE SET count = m.count + excluded.count`,
];
