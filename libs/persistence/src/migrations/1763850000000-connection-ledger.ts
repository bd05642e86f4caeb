import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Messages to connected devices are on pages that their edge holds, until each device has an outcome or its time is
 * over.
 */
export class ConnectionLedger1763850000000 implements MigrationInterface {
  name = 'ConnectionLedger1763850000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of held) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of undoing) await queryRunner.query(statement);
  }
}

const held = [
  // edge_id: the edge that held the connections of the page's devices when it was written; null on every other page. Such a
  // page has vendor `connection`, is `running` with fence 1 and goes when each of its devices has a delivery row.
  `ALTER TABLE pages ADD COLUMN edge_id text`,
  // For the edge that reads its own pages, for reads of what a device has not got, and for what nobody acknowledged.
  // There are only as many rows as a few seconds bring.
  `CREATE INDEX pages_edge ON pages (edge_id, message_id) WHERE edge_id IS NOT NULL`,
];

const undoing = [
  // They become pages of connections that are to be opened now.
  `UPDATE pages SET state = 'waiting', fence = 0, wake_at = now() WHERE edge_id IS NOT NULL AND state <> 'finished'`,
  `DROP INDEX pages_edge`,
  `ALTER TABLE pages DROP COLUMN edge_id`,
];
