import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The ledger of fallback SMS: one row for each user that a message with a fallback names. One plain table: there are few of
 * them beside deliveries, and every receipt looks into it.
 */
export class Fallback1763750000000 implements MigrationInterface {
  name = 'Fallback1763750000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of fallbacks) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE fallbacks`);
  }
}

const fallbacks = [
  // fallback_id: what a provider is given to name it by in its reports.
  // policy: 'SHOWN' when only a receipt that the message was seen confirms it.
  // wake_at: when somebody should see to it: its SMS is due, the lease of whoever sends it is over, or the provider can be
  // asked what became of it; null when there is nothing to do.
  // attempt: how often it was claimed for sending; a worker's record counts only while it is still its own.
  // inquiries: how often a provider was asked what became of it.
  `CREATE TABLE fallbacks (
    app_id text COLLATE "C" NOT NULL REFERENCES applications ON DELETE CASCADE,
    message_id uuid NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    fallback_id uuid NOT NULL DEFAULT gen_random_uuid(),
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sending', 'sent', 'delivered', 'undelivered',
      'unknown', 'confirmed', 'failed', 'no_phone', 'expired', 'cancelled')),
    policy text CHECK (policy IN ('SHOWN')),
    due_at timestamptz NOT NULL,
    wake_at timestamptz,
    attempt integer NOT NULL DEFAULT 0,
    inquiries smallint NOT NULL DEFAULT 0,
    phone text,
    provider text,
    provider_message_id text,
    error_code text,
    reason text,
    created_at timestamptz NOT NULL,
    attempted_at timestamptz,
    sent_at timestamptz,
    ended_at timestamptz,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (app_id, message_id, user_id)
  )`,
  // What is due: of all messages for recovery, of one for a worker.
  `CREATE INDEX fallbacks_wake ON fallbacks (wake_at) WHERE wake_at IS NOT NULL`,
  `CREATE INDEX fallbacks_due ON fallbacks (app_id, message_id, state, wake_at) WHERE wake_at IS NOT NULL`,
  // By what providers name one: the id that it was sent with, or the provider's own.
  `CREATE INDEX fallbacks_attempted ON fallbacks (app_id, fallback_id) WHERE attempted_at IS NOT NULL`,
  `CREATE INDEX fallbacks_provider_message ON fallbacks (app_id, provider_message_id)
    WHERE provider_message_id IS NOT NULL`,
  `CREATE INDEX fallbacks_age ON fallbacks (created_at)`,
];
