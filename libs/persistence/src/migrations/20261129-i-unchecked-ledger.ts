import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `messages` and `pages` lose their CHECK constraints. PostgreSQL reads the text of each constraint again in every
 * statement that writes such a row, which took a tenth of accepting one message. They repeated what the code says: only
 * statements of this lib write these columns, with values of typed unions. `deliveries` never had any.
 *
 * One statement for each table, and no transaction around both: a send locks the two tables in the other order.
 */
export class UncheckedLedger1795824060000 implements MigrationInterface {
  name = 'UncheckedLedger1795824060000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [table, checks] of CHECKS) {
      const drops = Object.keys(checks).map((name) => `DROP CONSTRAINT IF EXISTS ${name}`);
      await queryRunner.query(`ALTER TABLE ${table} ${drops.join(', ')}`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [table, checks] of CHECKS) {
      const adds = Object.entries(checks).map(
        ([name, condition]) => `ADD CONSTRAINT ${name} CHECK (${condition}) NOT VALID`,
      );
      await queryRunner.query(`ALTER TABLE ${table} ${adds.join(', ')}`);
    }
  }
}

/** The constraints of each table, with their conditions. */
const CHECKS = [
  [
    'messages',
    {
      messages_kind_check: `kind IN ('users', 'query', 'notify')`,
      messages_lane_check: `lane IN ('transactional', 'campaign')`,
      messages_status_check: `status IN ('accepted', 'done', 'cancelled')`,
      messages_rate_check: `rate > 0`,
    },
  ],
  [
    'pages',
    {
      pages_vendor_check: `vendor IN ('fcm', 'apns', 'hms', 'webpush', 'connection')`,
      pages_lane_check: `lane IN ('transactional', 'campaign')`,
      pages_state_check: `state IN ('waiting', 'running', 'finished')`,
    },
  ],
] as const;
