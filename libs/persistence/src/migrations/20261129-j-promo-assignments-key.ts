import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from './build-index';

/**
 * The key of `promo_assignments` begins with the user, so that it serves the lookups of a user too, and their own index
 * goes: a claimed code has one index entry less. Nothing looks assignments up by the message alone.
 *
 * The index of the new key is built beside the old one, while everything else continues. Then the two change places,
 * under a lock for a moment.
 */
export class PromoAssignmentsKey1795824070000 implements MigrationInterface {
  name = 'PromoAssignmentsKey1795824070000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await replaceKey(queryRunner, ['app_id', 'user_id', 'message_id']);
    await dropIndex(queryRunner, TABLE, OF_USER);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await buildIndex(queryRunner, { name: OF_USER, table: TABLE, definition: '(app_id, user_id, message_id)' });
    await replaceKey(queryRunner, ['app_id', 'message_id', 'user_id']);
  }
}

const TABLE = 'promo_assignments';
const [KEY, NEW_KEY, OF_USER] = ['promo_assignments_pkey', 'promo_assignments_new_pkey', 'promo_assignments_user'];

/** If it is killed and called again, it continues. */
async function replaceKey(runner: QueryRunner, columns: readonly string[]): Promise<void> {
  const definition = `(${columns.join(', ')})`;
  const [key] = (await runner.query(`SELECT pg_get_constraintdef(oid) AS is FROM pg_constraint WHERE conname = $1`, [
    KEY,
  ])) as { is: string }[];
  if (key?.is === `PRIMARY KEY ${definition}`) return;
  await buildIndex(runner, { name: NEW_KEY, table: TABLE, definition, isUnique: true });
  await runner.query(
    `ALTER TABLE ${TABLE} DROP CONSTRAINT ${KEY}, ADD CONSTRAINT ${KEY} PRIMARY KEY USING INDEX ${NEW_KEY}`,
  );
}
