export { createDataSource, MIGRATIONS } from './database/data-source';
export { DATABASE, inTransaction, rows } from './database/executor';
export type { Database, Executor } from './database/executor';
export { migrate } from './database/migrate';
export { PersistenceModule } from './module/persistence.module';
export { ensurePartitions } from './partitions/ensure-partitions.query';
