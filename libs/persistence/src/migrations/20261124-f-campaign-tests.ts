import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The choice of the winner among a campaign's variants. Nullable columns without defaults: no row is rewritten. */
export class CampaignTests1795478450000 implements MigrationInterface {
  name = 'CampaignTests1795478450000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE messages DROP COLUMN winner_due_at, DROP COLUMN winner_variant, DROP COLUMN winner_decided_at,
         DROP COLUMN winner_by`,
    );
  }
}

const STATEMENTS = [
  // When the winner is chosen; null: there is none to choose (any more).
  `ALTER TABLE messages ADD COLUMN IF NOT EXISTS winner_due_at timestamptz`,
  `ALTER TABLE messages ADD COLUMN IF NOT EXISTS winner_variant text`,
  `ALTER TABLE messages ADD COLUMN IF NOT EXISTS winner_decided_at timestamptz`,
  `ALTER TABLE messages ADD COLUMN IF NOT EXISTS winner_by text`,
  // No message has such a time yet: the index is empty, and is made at once.
  `CREATE INDEX IF NOT EXISTS messages_winner_due ON messages (winner_due_at) WHERE winner_due_at IS NOT NULL`,
];
