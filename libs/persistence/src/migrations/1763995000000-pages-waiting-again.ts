import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from './build-index';

/**
 * Finds the pages with a device that were tried before and wait again: few, unless a push service is down. With
 * `pages_unclaimed` and `pages_in_hand` these are all pages that no push service has accepted yet.
 */
export class PagesWaitingAgain1763995000000 implements MigrationInterface {
  name = 'PagesWaitingAgain1763995000000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    const definition = `(app_id, (device_ids[1]), (device_ids[cardinality(device_ids)]))
      WHERE state = 'waiting' AND NOT is_steered AND vendor <> 'connection' AND NOT (fence < 2 AND attempt = 1)`;
    await buildIndex(queryRunner, { name: 'pages_waiting_again', table: 'pages', definition });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX pages_waiting_again`);
  }
}
