import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from './build-index';

/** Finds the pages of push services with a device: those that no worker has claimed, and those that a worker has. */
export class UnclaimedPages1763991000000 implements MigrationInterface {
  name = 'UnclaimedPages1763991000000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, condition] of INDEXES) {
      await buildIndex(queryRunner, { name, table: 'pages', definition: `(app_id, ${ENDS}) WHERE ${condition}` });
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [name] of INDEXES) await queryRunner.query(`DROP INDEX ${name}`);
  }
}

/**
 * Pages hold their devices in order. One index entry per page: one for each device would cost a campaign a tenth of its
 * time.
 */
const ENDS = `(device_ids[1]), (device_ids[cardinality(device_ids)])`;

const INDEXES = [
  ['pages_unclaimed', `state = 'waiting' AND fence < 2 AND attempt = 1 AND NOT is_steered AND vendor <> 'connection'`],
  ['pages_in_hand', `state = 'running' AND edge_id IS NULL AND vendor <> 'connection'`],
] as const;
