import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Outgoing webhooks with their outbox, the state of the routes to vendors, and quarantined tokens. */
export class Webhooks1763800000000 implements MigrationInterface {
  name = 'Webhooks1763800000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...webhooks, ...routes, ...fallbacks]) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE webhook_events, webhooks, route_states, vendor_troubles, quarantined_tokens, opted_out_numbers`);
  }
}

const webhooks = [
  // sealed: the secrets that sign, newest first; a former one until its time is over.
  // failures: how many attempts failed in a row, of whatever events; failing_since: when the first of them did.
  // held_until: nothing is sent before, and one event alone after it, until one is taken.
  `CREATE TABLE webhooks (
    app_id text COLLATE "C" NOT NULL REFERENCES applications ON DELETE CASCADE,
    webhook_id uuid NOT NULL,
    url text NOT NULL,
    events text[] NOT NULL,
    sealed bytea NOT NULL,
    is_enabled boolean NOT NULL DEFAULT true,
    disabled_reason text,
    failures integer NOT NULL DEFAULT 0,
    failing_since timestamptz,
    held_until timestamptz,
    last_error text,
    last_error_at timestamptz,
    last_success_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (app_id, webhook_id)
  )`,
  // The outbox and the log in one: an event for one webhook, written in the transaction of what happened.
  // wake_at: when it is to be sent, or the lease of whoever sends it is over; null when it has ended.
  // attempt: raised with each claim; what came of an attempt counts while it is the newest one.
  // deadline_at: no attempt is planned after it.
  `CREATE TABLE webhook_events (
    app_id text COLLATE "C" NOT NULL,
    webhook_id uuid NOT NULL,
    event_id uuid NOT NULL DEFAULT gen_random_uuid(),
    type text NOT NULL,
    data json NOT NULL,
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sending', 'delivered', 'failed')),
    attempt integer NOT NULL DEFAULT 0,
    tries smallint NOT NULL DEFAULT 0,
    attempts jsonb NOT NULL DEFAULT '[]',
    wake_at timestamptz DEFAULT now(),
    deadline_at timestamptz NOT NULL DEFAULT now() + interval '1 day',
    created_at timestamptz NOT NULL DEFAULT now(),
    ended_at timestamptz,
    PRIMARY KEY (app_id, webhook_id, event_id),
    FOREIGN KEY (app_id, webhook_id) REFERENCES webhooks ON DELETE CASCADE
  )`,
  `CREATE INDEX webhook_events_due ON webhook_events (app_id, webhook_id, wake_at) WHERE wake_at IS NOT NULL`,
  `CREATE INDEX webhook_events_log ON webhook_events (app_id, webhook_id, created_at, event_id)`,
  `CREATE INDEX webhook_events_age ON webhook_events (created_at)`,
];

const routes = [
  // One worker's view of one application at one vendor. Unlogged: after a crash of PostgreSQL every worker writes its
  // own again. since: of the breaker's state.
  `CREATE UNLOGGED TABLE route_states (
    app_id text COLLATE "C" NOT NULL,
    vendor text NOT NULL,
    worker_id text NOT NULL,
    breaker text NOT NULL CHECK (breaker IN ('closed', 'half-open', 'open')),
    since timestamptz NOT NULL,
    open_until timestamptz,
    in_flight integer NOT NULL DEFAULT 0,
    credentials_revision bigint,
    error_kind text,
    error_code text,
    error_reason text,
    error_at timestamptz,
    heartbeat_at timestamptz NOT NULL,
    PRIMARY KEY (app_id, vendor, worker_id)
  )`,
  // The state that all workers share. A trouble is reported once, by the worker that writes its "since".
  // credentials_revision: of the credentials that fail. worked_revision: of the credentials with which the vendor
  // accepted something. retry_asked_at: when the operator asked to try a held route again at once. quarantined_since:
  // while set, tokens that the vendor calls dead are kept in quarantined_tokens. trusted_until: the operator had such
  // tokens switched off, and trusts the vendor for a while.
  `CREATE TABLE vendor_troubles (
    app_id text COLLATE "C" NOT NULL REFERENCES applications ON DELETE CASCADE,
    vendor text NOT NULL,
    credentials_failing_since timestamptz,
    credentials_code text,
    credentials_reason text,
    credentials_revision bigint,
    breaker_open_since timestamptz,
    breaker_code text,
    breaker_reason text,
    worked_revision bigint,
    retry_asked_at timestamptz,
    quarantined_since timestamptz,
    quarantined_share real,
    trusted_until timestamptz,
    PRIMARY KEY (app_id, vendor)
  )`,
  // token_hash: SHA-256 of the token as it was when it was used.
  `CREATE TABLE quarantined_tokens (
    app_id text COLLATE "C" NOT NULL REFERENCES applications ON DELETE CASCADE,
    vendor text NOT NULL,
    device_id bigint NOT NULL,
    token_hash bytea NOT NULL,
    registered_at timestamptz,
    dead_since timestamptz,
    quarantined_at timestamptz NOT NULL,
    PRIMARY KEY (app_id, vendor, device_id)
  )`,
  `CREATE INDEX quarantined_tokens_age ON quarantined_tokens (quarantined_at)`,
];

const fallbacks = [
  // Numbers whose owners told an SMS provider to stop. Not sent to again until the operator removes them.
  `CREATE TABLE opted_out_numbers (
    app_id text COLLATE "C" NOT NULL REFERENCES applications ON DELETE CASCADE,
    phone text COLLATE "C" NOT NULL,
    provider text NOT NULL,
    code text NOT NULL,
    opted_out_at timestamptz NOT NULL,
    PRIMARY KEY (app_id, phone)
  )`,
];
