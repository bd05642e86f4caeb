import type { DataSource } from 'typeorm';
import { ensurePartitions } from '../partitions/ensure-partitions.query';

/** Any number; every process that migrates takes the same lock, so two at once run one after the other. */
const MIGRATION_LOCK = 7_276_331;

/**
 * Brings the schema up to date and makes the ledger's next partitions.
 *
 * @returns the names of the migrations that ran
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query(`SELECT pg_advisory_lock($1)`, [MIGRATION_LOCK]);
    const ran = await dataSource.runMigrations();
    await ensurePartitions(dataSource, new Date());
    await runner.query(`SELECT pg_advisory_unlock($1)`, [MIGRATION_LOCK]);
    return ran.map((migration) => migration.name);
  } finally {
    await runner.release();
  }
}
