import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deliveries about which only the sending is recorded, many in one row. Existing rows of the ledger do not change. */
export class DeliveryPacks1795478430000 implements MigrationInterface {
  name = 'DeliveryPacks1795478430000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE deliveries DROP COLUMN is_packed`);
    await queryRunner.query(`DROP TABLE delivery_packs`);
  }
}

const STATEMENTS = [
  // span: the range of numbers in which all of its devices are (libs/persistence/src/packs/span.ts). details: when each
  // was sent, and the vendor's id of it (libs/persistence/src/packs/pack-details.ts).
  `CREATE TABLE delivery_packs (
    app_id text COLLATE "C" NOT NULL,
    message_id uuid NOT NULL,
    span bigint NOT NULL,
    id uuid NOT NULL,
    vendor text NOT NULL,
    device_ids bigint[] NOT NULL,
    count integer NOT NULL,
    details bytea NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (app_id, message_id, span, id)
  ) PARTITION BY RANGE (message_id)`,
  // They are compressed already.
  `ALTER TABLE delivery_packs ALTER COLUMN details SET STORAGE EXTERNAL, ALTER COLUMN device_ids SET STORAGE EXTERNAL`,
  // What one device was sent, newest first: by its span, and within it the packs whose range of devices includes it.
  `CREATE INDEX delivery_packs_device ON delivery_packs (app_id, span, message_id, (device_ids[1]), (device_ids[cardinality(device_ids)]))`,
  // A message of any day in the ledger may still be sent: it was scheduled, or waits.
  `DO $$ DECLARE day record; BEGIN
    FOR day IN SELECT replace(c.relname, 'pages_', 'delivery_packs_') AS name, pg_get_expr(c.relpartbound, c.oid) AS bounds
      FROM pg_inherits h JOIN pg_class c ON c.oid = h.inhrelid WHERE h.inhparent = 'pages'::regclass
    LOOP
      EXECUTE format('CREATE TABLE %I PARTITION OF delivery_packs %s', day.name, day.bounds);
    END LOOP;
  END $$`,
  // The delivery is in a pack too, which holds the time of the sending. The row holds what came after.
  `ALTER TABLE deliveries ADD COLUMN is_packed boolean`,
];
