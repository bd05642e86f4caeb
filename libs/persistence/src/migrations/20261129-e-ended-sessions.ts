import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from './build-index';

/** Finds sessions of connections that are over, to delete them. Those that never end are not in it. */
export class EndedSessions1795824020000 implements MigrationInterface {
  name = 'EndedSessions1795824020000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await buildIndex(queryRunner, INDEX);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropIndex(queryRunner, INDEX.table, INDEX.name);
  }
}

const INDEX = {
  name: 'connection_sessions_ended',
  table: 'connection_sessions',
  definition: `(expires_at) WHERE expires_at IS NOT NULL`,
};
