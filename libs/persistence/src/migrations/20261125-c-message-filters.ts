import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex, type IndexToBuild } from './build-index';

/**
 * Finds the few messages that were cancelled, went to a channel other than the default one, were made from a template,
 * or have languages.
 */
export class MessageFilters1795478500000 implements MigrationInterface {
  name = 'MessageFilters1795478500000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const index of INDEXES) await buildIndex(queryRunner, index);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const { table, name } of INDEXES) await dropIndex(queryRunner, table, name);
  }
}

const INDEXES: readonly IndexToBuild[] = [
  { name: 'messages_cancelled', table: 'messages', definition: `(app_id, id) WHERE status = 'cancelled'` },
  {
    name: 'messages_channel',
    table: 'messages',
    definition: `(app_id, channel, id) WHERE channel NOT IN ('public/default', 'private/default')`,
  },
  {
    name: 'messages_template',
    table: 'messages',
    definition: `(app_id, (content ->> 'templateId'), id) WHERE content ? 'templateId'`,
  },
  {
    name: 'messages_languages',
    table: 'messages',
    definition: `(app_id, id) WHERE content ? 'localized' OR content ? 'variants'`,
  },
];
