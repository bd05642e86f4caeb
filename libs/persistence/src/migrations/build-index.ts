import type { QueryRunner } from 'typeorm';

/** An index to build. All of its texts are part of the code, never of a request. */
export interface IndexToBuild {
  name: string;
  table: string;
  /** What follows the name of the table: `(columns) WHERE …`. */
  definition: string;
  /** True if no two rows may be alike in it. Left out: they may. For a table, not for one of partitions. */
  isUnique?: boolean;
}

/**
 * Builds an index without blocking anybody, on a table or on each partition of one. Not in a transaction: for migrations
 * with `transaction = false`. If it was killed, call it again, and it continues: an unfinished index is dropped and
 * built anew.
 *
 * @throws an error with the code 55P03 if it does not get the lock of a partitioned table, or of a part of the index, within
 *   the connection's `lock_timeout`: everybody else would wait behind it. `migrate` then calls it again
 */
export async function buildIndex(runner: QueryRunner, index: IndexToBuild): Promise<void> {
  const { name, table, definition, isUnique = false } = index;
  if (!(await isPartitioned(runner, table))) {
    await buildOn(runner, table, name, definition, isUnique ? 'UNIQUE' : '');
    return;
  }
  // Without the existing partitions; new partitions get the index automatically.
  await runner.query(`CREATE INDEX IF NOT EXISTS ${name} ON ONLY ${table} ${definition}`);
  for (const partition of await partitionsWithout(runner, table, name)) {
    await buildOn(runner, partition, `${partition}_${name}`, definition);
    await runner.query(`ALTER INDEX ${name} ATTACH PARTITION ${partition}_${name}`);
  }
}

/**
 * Drops an index without blocking anybody. This is impossible for a partitioned table: there it tries to take the lock
 * for a short time.
 */
export async function dropIndex(runner: QueryRunner, table: string, name: string): Promise<void> {
  const how = (await isPartitioned(runner, table)) ? '' : 'CONCURRENTLY';
  await runner.query(`DROP INDEX ${how} IF EXISTS ${name}`);
}

/** Waits for older statements, however long they take, and blocks nothing meanwhile. */
async function buildOn(
  runner: QueryRunner,
  table: string,
  name: string,
  definition: string,
  kind: 'UNIQUE' | '' = '',
): Promise<void> {
  const [before] = (await runner.query(
    `SELECT current_setting('lock_timeout') AS limit, set_config('lock_timeout', '0', false)`,
  )) as { limit: string }[];
  try {
    const unfinished = (await runner.query(
      `SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid`,
      [name],
    )) as unknown[];
    if (unfinished.length > 0) await runner.query(`DROP INDEX CONCURRENTLY ${name}`);
    await runner.query(`CREATE ${kind} INDEX CONCURRENTLY IF NOT EXISTS ${name} ON ${table} ${definition}`);
  } finally {
    await runner.query(`SELECT set_config('lock_timeout', $1, false)`, [before?.limit ?? '0']);
  }
}

async function isPartitioned(runner: QueryRunner, table: string): Promise<boolean> {
  const found = (await runner.query(`SELECT 1 FROM pg_class WHERE oid = $1::regclass AND relkind = 'p'`, [
    table,
  ])) as unknown[];
  return found.length > 0;
}

/** The partitions of `table` without an index that belongs to the index `name`. */
async function partitionsWithout(runner: QueryRunner, table: string, name: string): Promise<string[]> {
  const found = (await runner.query(
    `SELECT p.inhrelid::regclass::text AS partition FROM pg_inherits p
     WHERE p.inhparent = $1::regclass AND NOT EXISTS (
       SELECT FROM pg_inherits c JOIN pg_index i ON i.indexrelid = c.inhrelid
       WHERE c.inhparent = $2::regclass AND i.indrelid = p.inhrelid)
     ORDER BY 1`,
    [table, name],
  )) as { partition: string }[];
  return found.map(({ partition }) => partition);
}
