import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What people did with messages, the links that led them, and what their devices keep of messages in the inbox. */
export class Engagement1763780000000 implements MigrationInterface {
  name = 'Engagement1763780000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...settings, ...counts, ...inbox, ...trackers]) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE deferred_handovers, deferred_links, tracker_visitors, tracker_counts, trackers,
      inbox_marks, conversions, delivery_clicks, message_counts`);
    await queryRunner.query(`DROP INDEX deliveries_device, link_opens_once`);
    await queryRunner.query(`ALTER TABLE applications DROP COLUMN link_hosts, DROP COLUMN link_schemes,
      DROP COLUMN match_by_address, DROP COLUMN deferred_link_minutes, DROP COLUMN conversion_window_hours`);
  }
}

const settings = [
  // link_hosts: where a tracker link may lead beside what its owner wrote into the tracker (`shop.example`,
  // `*.shop.example`). link_schemes: the app schemes that it may open; none: any that is not dangerous.
  `ALTER TABLE applications
    ADD COLUMN link_hosts text[] NOT NULL DEFAULT '{}',
    ADD COLUMN link_schemes text[] NOT NULL DEFAULT '{}',
    ADD COLUMN match_by_address boolean NOT NULL DEFAULT false,
    ADD COLUMN deferred_link_minutes integer NOT NULL DEFAULT 60 CHECK (deferred_link_minutes BETWEEN 1 AND 43200),
    ADD COLUMN conversion_window_hours integer NOT NULL DEFAULT 24 CHECK (conversion_window_hours BETWEEN 1 AND 720)`,
];

const counts = [
  // How many devices did something first in an hour; moved to the earlier hour when an earlier report comes late. name: the
  // action's id, the link, or a conversion's currency; name_key: its digest, because a link can be longer than an index
  // row may be. amount: the revenue of conversions. kind 'click': every click on a tracked link, the only one not by device.
  `CREATE TABLE message_counts (
    app_id text COLLATE "C" NOT NULL,
    message_id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('delivered', 'shown', 'opened', 'dismissed', 'action', 'link', 'click',
      'conversion')),
    name_key bytea NOT NULL DEFAULT '',
    hour timestamptz NOT NULL,
    platform text NOT NULL,
    name text,
    count bigint NOT NULL,
    amount numeric NOT NULL DEFAULT 0,
    PRIMARY KEY (app_id, message_id, kind, name_key, hour, platform)
  ) PARTITION BY RANGE (message_id)`,
  // What one device chose of one message: each action and link once, with its first time. moved_from: the time that stood
  // here before an earlier report came; the statement that changes it takes the count from the hour of the one to the other's.
  // Written only by whoever holds the delivery's lock.
  `CREATE TABLE delivery_clicks (
    app_id text COLLATE "C" NOT NULL,
    message_id uuid NOT NULL,
    device_id bigint NOT NULL,
    kind text NOT NULL CHECK (kind IN ('action', 'link')),
    name_key bytea NOT NULL,
    name text NOT NULL,
    first_at timestamptz NOT NULL,
    moved_from timestamptz,
    PRIMARY KEY (app_id, message_id, device_id, kind, name_key)
  ) PARTITION BY RANGE (message_id)`,
  `CREATE TABLE conversions (
    app_id text COLLATE "C" NOT NULL,
    message_id uuid NOT NULL,
    device_id bigint NOT NULL,
    name text NOT NULL,
    at timestamptz NOT NULL,
    revenue numeric NOT NULL,
    currency text,
    PRIMARY KEY (app_id, message_id, device_id, at, name)
  ) PARTITION BY RANGE (message_id)`,
  // A link that a device reports twice was opened once.
  `DELETE FROM link_opens l USING link_opens o WHERE o.app_id = l.app_id AND o.device_id = l.device_id
    AND o.opened_at = l.opened_at AND o.link = l.link AND o.id < l.id`,
  `CREATE UNIQUE INDEX link_opens_once ON link_opens (app_id, device_id, opened_at, md5(link))`,
];

const inbox = [
  // Everything that was sent to one device, newest first. A device's number belongs to one application.
  `CREATE INDEX deliveries_device ON deliveries (device_id, message_id)`,
  // What a device's user did to a message in the inbox.
  `CREATE TABLE inbox_marks (
    app_id text COLLATE "C" NOT NULL,
    device_id bigint NOT NULL,
    message_id uuid NOT NULL,
    read_at timestamptz,
    deleted_at timestamptz,
    PRIMARY KEY (app_id, device_id, message_id)
  ) PARTITION BY RANGE (message_id)`,
];

const trackers = [
  // The id is unique among all applications: a link names no application.
  `CREATE TABLE trackers (
    app_id text COLLATE "C" NOT NULL REFERENCES applications ON DELETE CASCADE,
    tracker_id text COLLATE "C" NOT NULL,
    name text NOT NULL,
    deep_link text,
    destination text,
    redirect text,
    platforms jsonb NOT NULL DEFAULT '{}',
    allowed_hosts text[] NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (app_id, tracker_id)
  )`,
  `CREATE UNIQUE INDEX trackers_tracker ON trackers (tracker_id)`,
  `CREATE INDEX trackers_newest ON trackers (app_id, created_at, tracker_id)`,
  // visit: the first click of a visitor on a day. install: a deferred link that a new installation took. opened, declined:
  // what its app decided.
  `CREATE TABLE tracker_counts (
    app_id text COLLATE "C" NOT NULL REFERENCES applications ON DELETE CASCADE,
    tracker_id text COLLATE "C" NOT NULL,
    kind text NOT NULL CHECK (kind IN ('click', 'visit', 'install', 'opened', 'declined')),
    hour timestamptz NOT NULL,
    platform text NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (app_id, tracker_id, kind, hour, platform)
  ) WITH (fillfactor = 60)`,
  // visitor: a keyed digest of tracker, day, address and user agent, useless on another day. Gone after two days.
  `CREATE TABLE tracker_visitors (
    app_id text COLLATE "C" NOT NULL,
    tracker_id text COLLATE "C" NOT NULL,
    day date NOT NULL,
    visitor bytea NOT NULL,
    PRIMARY KEY (app_id, tracker_id, day, visitor)
  )`,
  `CREATE INDEX tracker_visitors_day ON tracker_visitors (day)`,
  // Clicks that wait for an installation. address_key: a keyed digest of the network address, only while the application
  // wants matching by it.
  `CREATE TABLE deferred_links (
    app_id text COLLATE "C" NOT NULL,
    token_key bytea NOT NULL,
    tracker_id text COLLATE "C" NOT NULL,
    deep_link text NOT NULL,
    platform text NOT NULL,
    os_major integer,
    agent_key bytea,
    address_key bytea,
    clicked_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (app_id, token_key)
  )`,
  `CREATE INDEX deferred_links_address ON deferred_links (app_id, address_key, clicked_at) WHERE address_key IS NOT NULL`,
  `CREATE INDEX deferred_links_expiry ON deferred_links (expires_at)`,
  // A deferred link that an installation took at its first registration, and whether its app opened it.
  `CREATE TABLE deferred_handovers (
    app_id text COLLATE "C" NOT NULL REFERENCES applications ON DELETE CASCADE,
    device_id bigint NOT NULL,
    tracker_id text COLLATE "C" NOT NULL,
    deep_link text NOT NULL,
    platform text NOT NULL,
    matched_by text NOT NULL CHECK (matched_by IN ('token', 'address')),
    clicked_at timestamptz NOT NULL,
    handed_at timestamptz NOT NULL,
    opened boolean,
    decided_at timestamptz,
    PRIMARY KEY (app_id, device_id)
  )`,
  `CREATE INDEX deferred_handovers_age ON deferred_handovers (handed_at)`,
];
