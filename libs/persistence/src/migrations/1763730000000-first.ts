import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The first schema. Every table carries the application first in its keys. Text that is compared is `COLLATE "C"`, so that
 * equality and order are those of code points. `messages`, `pages` and `deliveries` are partitioned by message id, which is
 * a UUID version 7: partitions are days, and old days are dropped whole.
 */
export class First1763730000000 implements MigrationInterface {
  name = 'First1763730000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...applications, ...population, ...ledger]) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE deliveries, pages, messages, campaigns, idempotency_keys, presence, edges, link_opens, installations,
        users, vendor_credentials, tokens, applications`);
    await queryRunner.query(`DROP SEQUENCE vendor_credentials_revision`);
  }
}

const applications = [
  `CREATE TABLE applications (
    app_id text COLLATE "C" PRIMARY KEY,
    name text NOT NULL,
    default_alert_text text NOT NULL DEFAULT 'You have a new message',
    default_region text,
    require_user_hash boolean NOT NULL DEFAULT false,
    promo_exhausted text NOT NULL DEFAULT 'send_without' CHECK (promo_exhausted IN ('send_without', 'skip')),
    requests_per_second integer CHECK (requests_per_second > 0),
    identity_key_sealed bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  )`,
  // A host name's first label names the application and knows no case.
  `CREATE UNIQUE INDEX applications_host_label ON applications (lower(app_id))`,

  `CREATE TABLE tokens (
    app_id text COLLATE "C" NOT NULL REFERENCES applications ON DELETE CASCADE,
    token_id uuid NOT NULL,
    name text NOT NULL,
    scopes text[] NOT NULL,
    token_hash bytea NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now(),
    revoked_at timestamptz,
    PRIMARY KEY (app_id, token_id)
  )`,

  `CREATE SEQUENCE vendor_credentials_revision`,
  // settings may be shown; sealed holds the secrets. Every worker's cache reads again when it sees a new revision.
  `CREATE TABLE vendor_credentials (
    app_id text COLLATE "C" NOT NULL REFERENCES applications ON DELETE CASCADE,
    vendor text NOT NULL CHECK (vendor IN ('fcm', 'apns', 'hms', 'webpush', 'sms')),
    settings jsonb NOT NULL,
    sealed bytea NOT NULL,
    revision bigint NOT NULL DEFAULT nextval('vendor_credentials_revision'),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_id, vendor)
  )`,
];

/**
 * The names of attributes that hold ISO 8601 text, as `isoMoment` (libs/domain) reads it. A query may cast these to a
 * timestamp without fear, and without looking at every character again.
 */
const MOMENT_NAMES = `jsonb_path_query_array(attributes, '$.keyvalue() ? (@.value.type() == "string"
    && @.value like_regex "^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]{1,9})?)?(?:Z|[+-](?:0[0-9]|1[0-5]):[0-5][0-9])?)?$"
    && !(@.value like_regex "^0000|^....-(?:02-3|0[469]-31|11-31)")
    && (!(@.value like_regex "^....-02-29")
      || @.value like_regex "^(?:..(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-")).key', '{}', true)`;

const population = [
  `CREATE TABLE users (
    app_id text COLLATE "C" NOT NULL REFERENCES applications ON DELETE CASCADE,
    user_id text COLLATE "C" NOT NULL,
    tags text[] COLLATE "C" NOT NULL DEFAULT '{}',
    tag_values jsonb NOT NULL DEFAULT '{}',
    attributes jsonb NOT NULL DEFAULT '{}',
    moment_names jsonb NOT NULL GENERATED ALWAYS AS (${MOMENT_NAMES}) STORED,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_id, user_id)
  )`,

  // tags and tag_values are the owner's, copied here so that a segment reads one table; written with the user's row
  // locked. user_since: when the present owner got the device. Messages that were accepted for an earlier owner are not
  // sent to it. channels: memberships beside the default ones, as public/<name> or private/<name>. device_type: in
  // lower case, because comparisons ignore case.
  // *_version_key: the sort key of the version (libs/domain), null if the text has no digit.
  `CREATE TABLE installations (
    app_id text COLLATE "C" NOT NULL REFERENCES applications ON DELETE CASCADE,
    id bigint GENERATED ALWAYS AS IDENTITY,
    installation_id uuid NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    user_since timestamptz NOT NULL DEFAULT now(),
    device_type text COLLATE "C" CHECK (device_type = lower(device_type)),
    push_type text CHECK (push_type IN ('fcm', 'apns', 'hms', 'webpush')),
    token text COLLATE "C",
    token_status text,
    token_registered_at timestamptz,
    os_version text COLLATE "C",
    os_version_key text COLLATE "C",
    client_version text COLLATE "C",
    client_version_key text COLLATE "C",
    launch_count bigint NOT NULL DEFAULT 1,
    launch_time timestamptz NOT NULL DEFAULT now(),
    install_date timestamptz NOT NULL DEFAULT now(),
    tags text[] COLLATE "C" NOT NULL DEFAULT '{}',
    tag_values jsonb NOT NULL DEFAULT '{}',
    channels text[] COLLATE "C" NOT NULL DEFAULT '{}',
    attributes jsonb NOT NULL DEFAULT '{}',
    moment_names jsonb NOT NULL GENERATED ALWAYS AS (${MOMENT_NAMES}) STORED,
    registration jsonb NOT NULL DEFAULT '{}',
    time_zone text,
    locale text,
    latitude double precision CHECK (latitude BETWEEN -90 AND 90),
    longitude double precision CHECK (longitude BETWEEN -180 AND 180),
    realtime boolean NOT NULL DEFAULT false,
    connected_at timestamptz,
    protected boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    usable_vendor text GENERATED ALWAYS AS (
      CASE WHEN token IS NOT NULL AND (token_status IS NULL OR token_status = 'ALLOWED') THEN push_type END
    ) STORED,
    uses_connection boolean GENERATED ALWAYS AS (realtime OR connected_at IS NOT NULL) STORED,
    PRIMARY KEY (app_id, id)
  ) WITH (fillfactor = 90)`,
  `CREATE UNIQUE INDEX installations_installation ON installations (app_id, installation_id)`,
  `CREATE INDEX installations_user ON installations (app_id, user_id)`,
  // One installation per vendor token. A token can be longer than an index row may be. A Web Push subscription (JSON)
  // is identified by its endpoint, whatever its keys.
  `CREATE UNIQUE INDEX installations_token ON installations (app_id, push_type, (md5(
    CASE push_type WHEN 'webpush' THEN coalesce(substring(token from '"endpoint":"([^"]*)"'), token) ELSE token END)::uuid))
    WHERE token IS NOT NULL`,
  `CREATE INDEX installations_launch_time ON installations (app_id, launch_time)`,
  `CREATE INDEX installations_tags ON installations USING gin (tags) WITH (fastupdate = on)`,
  `CREATE INDEX installations_channels ON installations USING gin (channels) WHERE channels <> '{}'`,
  `CREATE INDEX installations_location ON installations (app_id, latitude, longitude) WHERE latitude IS NOT NULL`,

  // Links that devices reported as opened (contract, Deep links: clients below version 2).
  `CREATE TABLE link_opens (
    app_id text COLLATE "C" NOT NULL REFERENCES applications ON DELETE CASCADE,
    id bigint GENERATED ALWAYS AS IDENTITY,
    device_id bigint NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    link text NOT NULL,
    opened_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_id, id)
  )`,
  `CREATE INDEX link_opens_age ON link_opens (created_at)`,

  // Who is connected where. Unlogged: after a crash of PostgreSQL every edge writes its own again.
  `CREATE UNLOGGED TABLE edges (
    edge_id text PRIMARY KEY,
    heartbeat_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE UNLOGGED TABLE presence (
    app_id text COLLATE "C" NOT NULL,
    id bigint NOT NULL,
    edge_id text NOT NULL,
    epoch bigint NOT NULL,
    connected_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_id, id)
  )`,
];

const ledger = [
  `CREATE TABLE campaigns (
    app_id text COLLATE "C" NOT NULL REFERENCES applications ON DELETE CASCADE,
    track_id text COLLATE "C" NOT NULL,
    campaign_id uuid NOT NULL,
    name text,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_id, track_id)
  )`,

  `CREATE TABLE idempotency_keys (
    app_id text COLLATE "C" NOT NULL REFERENCES applications ON DELETE CASCADE,
    key text COLLATE "C" NOT NULL,
    request_hash bytea NOT NULL,
    answer jsonb,
    locked_at timestamptz NOT NULL DEFAULT now(),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_id, key)
  )`,
  `CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at)`,

  // audience: { target?, segment?, everyone?: true, channel } as validated; user_ids for named users.
  // resolved_through / resolve_ceiling: the last installations.id that became a page, and the last one that existed when the
  // message was accepted. resolved_at null: the audience worker still has work.
  // recipients: devices put on pages so far; skipped ones are delivery rows.
  // inbox_ends_at: when deliveries that still wait for a connection end (expiry, or a cancel); null when none waits.
  `CREATE TABLE messages (
    app_id text COLLATE "C" NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('users', 'query', 'notify')),
    is_campaign boolean NOT NULL,
    lane text NOT NULL CHECK (lane IN ('transactional', 'campaign')),
    audience jsonb NOT NULL,
    user_ids text[] COLLATE "C",
    channel text COLLATE "C" NOT NULL,
    content jsonb NOT NULL,
    track_id text COLLATE "C",
    client_id text COLLATE "C",
    batch_id uuid,
    status text NOT NULL DEFAULT 'accepted' CHECK (status IN ('accepted', 'done', 'cancelled')),
    count bigint NOT NULL,
    recipients bigint NOT NULL DEFAULT 0,
    resolved_through bigint NOT NULL DEFAULT 0,
    resolve_ceiling bigint NOT NULL,
    resolved_at timestamptz,
    wake_at timestamptz,
    accepted_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    cancelled_at timestamptz,
    done_at timestamptz,
    inbox_ends_at timestamptz,
    PRIMARY KEY (app_id, id)
  ) PARTITION BY RANGE (id)`,
  `CREATE INDEX messages_track ON messages (app_id, track_id, id) WHERE track_id IS NOT NULL`,
  `CREATE INDEX messages_client ON messages (app_id, client_id, id) WHERE client_id IS NOT NULL`,
  `CREATE INDEX messages_batch ON messages (app_id, batch_id, id) WHERE batch_id IS NOT NULL`,
  `CREATE INDEX messages_users ON messages USING gin (user_ids) WHERE user_ids IS NOT NULL`,
  // What recovery reads: messages that the audience worker has not finished, and messages not yet known to be done.
  `CREATE INDEX messages_unfinished ON messages (wake_at) WHERE wake_at IS NOT NULL`,
  `CREATE INDEX messages_inbox_ends ON messages (inbox_ends_at) WHERE inbox_ends_at IS NOT NULL`,

  // One page = up to PAGE_SIZE installations of one vendor; the unit of work. fence: how often it was claimed; a
  // worker's writes count only while the fence is still its own. wake_at: when recovery should handle the page again
  // (never enqueued, lease over, retry due); null when finished. first_attempt_at: when a vendor was first called about
  // these devices, carried over to their retry pages; null again while a route is held. is_unanswered: all of them were
  // already written to the vendor once and no answer came.
  `CREATE TABLE pages (
    app_id text COLLATE "C" NOT NULL,
    message_id uuid NOT NULL,
    id uuid NOT NULL,
    vendor text NOT NULL CHECK (vendor IN ('fcm', 'apns', 'hms', 'webpush', 'connection')),
    lane text NOT NULL CHECK (lane IN ('transactional', 'campaign')),
    device_ids bigint[] NOT NULL,
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'finished')),
    attempt integer NOT NULL DEFAULT 1,
    fence integer NOT NULL DEFAULT 0,
    leased_by text,
    not_before timestamptz,
    first_attempt_at timestamptz,
    is_unanswered boolean NOT NULL DEFAULT false,
    wake_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    PRIMARY KEY (app_id, message_id, id)
  ) PARTITION BY RANGE (message_id)`,
  // Stored out of line, uncompressed: compressing a page's ids costs more than everything else about writing it, and
  // its row is updated often.
  `ALTER TABLE pages ALTER COLUMN device_ids SET STORAGE EXTERNAL`,
  `CREATE INDEX pages_open ON pages (app_id, message_id) WHERE state <> 'finished'`,
  `CREATE INDEX pages_wake ON pages (wake_at) WHERE wake_at IS NOT NULL`,

  // One row per message and installation, written with its first outcome: while a device only waits on an open page, the
  // page is its record. rank is deliveryStateRank(state): a row only ever changes to a higher one.
  `CREATE TABLE deliveries (
    app_id text COLLATE "C" NOT NULL,
    message_id uuid NOT NULL,
    device_id bigint NOT NULL,
    state text NOT NULL,
    rank smallint NOT NULL,
    vendor text,
    vendor_message_id text,
    error_code text,
    reason text,
    attempt smallint NOT NULL DEFAULT 0,
    promo_code text,
    created_at timestamptz NOT NULL DEFAULT now(),
    sent_at timestamptz,
    delivered_at timestamptz,
    shown_at timestamptz,
    opened_at timestamptz,
    dismissed_at timestamptz,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (app_id, message_id, device_id)
  ) PARTITION BY RANGE (message_id)`,
  // The inbox of one device: what waits for its connection.
  `CREATE INDEX deliveries_inbox ON deliveries (app_id, device_id, message_id) WHERE state = 'pending'`,
  // The same by message: what ends when the message does.
  `CREATE INDEX deliveries_waiting ON deliveries (app_id, message_id, device_id) WHERE state = 'pending'`,
];
