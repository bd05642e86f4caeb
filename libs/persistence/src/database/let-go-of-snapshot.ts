import type { QueryRunner } from 'typeorm';

/**
 * Call it in a transaction that stays open for long. The portal of a statement with parameters keeps its snapshot until
 * the next statement. Meanwhile VACUUM cannot remove rows that were deleted since, and a concurrent index build waits.
 * A statement without parameters replaces the portal and keeps no snapshot.
 */
export async function letGoOfSnapshot(session: QueryRunner): Promise<void> {
  await session.query('SELECT 1');
}
