import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex, type IndexToBuild } from './build-index';

/**
 * The choice of the winner among a campaign's variants. Nullable columns without defaults: no row is rewritten. No message has a time
 * in them yet, but PostgreSQL reads all messages to build the empty index, so it is built while they are written.
 */
export class CampaignTests1795478450000 implements MigrationInterface {
  name = 'CampaignTests1795478450000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) await queryRunner.query(`ALTER TABLE messages ADD COLUMN IF NOT EXISTS ${column}`);
    await buildIndex(queryRunner, INDEX);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropIndex(queryRunner, INDEX.table, INDEX.name);
    await queryRunner.query(
      `ALTER TABLE messages DROP COLUMN IF EXISTS winner_due_at, DROP COLUMN IF EXISTS winner_variant,
         DROP COLUMN IF EXISTS winner_decided_at, DROP COLUMN IF EXISTS winner_by`,
    );
  }
}

const COLUMNS = [
  // When the winner is chosen; null: there is none to choose (any more).
  'winner_due_at timestamptz',
  'winner_variant text',
  'winner_decided_at timestamptz',
  'winner_by text',
];

const INDEX: IndexToBuild = {
  name: 'messages_winner_due',
  table: 'messages',
  definition: '(winner_due_at) WHERE winner_due_at IS NOT NULL',
};
