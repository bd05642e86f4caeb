import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The tables of the device edges: sessions that outlive a connection, connections that an edge must close, and waiting
 * deliveries by edge.
 */
export class Connection1763770000000 implements MigrationInterface {
  name = 'Connection1763770000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...sessions, ...presence, ...inboxes]) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of undoing) await queryRunner.query(statement);
  }
}

const sessions = [
  // What an MQTT session keeps while its device is away: the subscriptions, as {topic: granted QoS}. user_id: whose they are;
  // under another owner the session does not exist. expires_at: null while it is connected, or when it never ends.
  `CREATE TABLE connection_sessions (
    app_id text COLLATE "C" NOT NULL,
    id bigint NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    subscriptions jsonb NOT NULL DEFAULT '{}',
    expires_at timestamptz,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_id, id),
    FOREIGN KEY (app_id, id) REFERENCES installations ON DELETE CASCADE
  )`,
];

const presence = [
  `CREATE SEQUENCE presence_epochs`,
  `CREATE INDEX presence_edge ON presence (edge_id)`,
  // Connections that an edge has to close, because the device connected elsewhere, has another owner or is gone. The
  // edge deletes its own rows.
  `CREATE UNLOGGED TABLE connection_closures (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    edge_id text NOT NULL,
    app_id text COLLATE "C" NOT NULL,
    device_id bigint NOT NULL,
    epoch bigint NOT NULL,
    reason text NOT NULL CHECK (reason IN ('taken_over', 'changed_hands', 'removed')),
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX connection_closures_edge ON connection_closures (edge_id, id)`,
  // A connection is valid for one owner of one installation. A change of either one ends it.
  `CREATE FUNCTION close_connection() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO connection_closures (edge_id, app_id, device_id, epoch, reason)
    SELECT p.edge_id, p.app_id, p.id, p.epoch, CASE TG_OP WHEN 'DELETE' THEN 'removed' ELSE 'changed_hands' END
    FROM presence p WHERE p.app_id = OLD.app_id AND p.id = OLD.id;
    DELETE FROM presence p WHERE p.app_id = OLD.app_id AND p.id = OLD.id;
    RETURN NULL;
  END $$`,
  `CREATE TRIGGER installations_changed_hands AFTER UPDATE OF user_id ON installations
    FOR EACH ROW WHEN (OLD.user_id IS DISTINCT FROM NEW.user_id) EXECUTE FUNCTION close_connection()`,
  `CREATE TRIGGER installations_removed AFTER DELETE ON installations
    FOR EACH ROW EXECUTE FUNCTION close_connection()`,
];

const inboxes = [
  // edge_id: the edge that held the device's connection when the delivery was routed to it; null once the device
  // acknowledged it or its time is over. in_inbox: a vendor has it, and it is kept for the device's connection as well.
  // Null: no.
  `ALTER TABLE deliveries ADD COLUMN edge_id text, ADD COLUMN in_inbox boolean`,
  `CREATE INDEX deliveries_edge ON deliveries (edge_id, message_id) WHERE edge_id IS NOT NULL`,
  `CREATE INDEX deliveries_unconfirmed ON deliveries (created_at) WHERE edge_id IS NOT NULL`,
  `CREATE INDEX deliveries_kept ON deliveries (app_id, device_id, message_id) WHERE in_inbox`,
];

const undoing = [
  `DROP INDEX deliveries_kept, deliveries_unconfirmed, deliveries_edge`,
  `ALTER TABLE deliveries DROP COLUMN edge_id, DROP COLUMN in_inbox`,
  `DROP TRIGGER installations_removed ON installations`,
  `DROP TRIGGER installations_changed_hands ON installations`,
  `DROP FUNCTION close_connection()`,
  `DROP TABLE connection_closures, connection_sessions`,
  `DROP INDEX presence_edge`,
  `DROP SEQUENCE presence_epochs`,
];
