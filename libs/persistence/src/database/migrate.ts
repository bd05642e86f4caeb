import type { DataSource } from 'typeorm';
import { PartitionsRepository } from '../partitions/partitions.repository';
import { LOCK_IDS } from './lock-ids';

/**
 * Brings the schema up to date and makes the ledger's next partitions.
 *
 * @returns the names of the migrations that ran
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.query(`SELECT pg_advisory_lock($1)`, [LOCK_IDS.migrations]);
    const ran = await dataSource.runMigrations();
    await new PartitionsRepository(dataSource).ensure(new Date());
    await runner.query(`SELECT pg_advisory_unlock($1)`, [LOCK_IDS.migrations]);
    return ran.map((migration) => migration.name);
  } finally {
    await runner.release();
  }
}
