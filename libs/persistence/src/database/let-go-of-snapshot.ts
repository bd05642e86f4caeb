import type { QueryRunner } from 'typeorm';

/**
 * To be called in a transaction that stays open for long. The portal of a statement with parameters keeps its snapshot until the
 * next statement: meanwhile no row that was deleted since could be vacuumed, and an index that is built concurrently would wait. A
 * statement without parameters takes its place and keeps nothing.
 */
export async function letGoOfSnapshot(session: QueryRunner): Promise<void> {
  await session.query('SELECT 1');
}
