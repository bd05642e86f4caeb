/** PostgreSQL's code for a second row under a unique key (SQLSTATE 23505). */
const UNIQUE_VIOLATION = '23505';

/** PostgreSQL's code for a table that does not exist. */
const UNDEFINED_TABLE = '42P01';

/** PostgreSQL's code for a lock that could not be taken in time (`lock_timeout`). */
const LOCK_NOT_AVAILABLE = '55P03';

/** The function of PostgreSQL that looks for the partition of a new row. The error's code is that of CHECK constraints too. */
const FINDS_PARTITION = 'ExecFindPartition';

/** The end of a partition's name (`partitionName`). The language of the message around it is that of the server. */
const DAY_IN_NAME = /_\d{8}\b/;

/** PostgreSQL's code for a statement that was cancelled or hit its time limit. */
export const QUERY_CANCELLED = '57014';

/** True if PostgreSQL refused a second row under a unique key. */
export function uniqueViolation(error: unknown): boolean {
  return sqlState(error) === UNIQUE_VIOLATION;
}

/** True if PostgreSQL does not know a table: the schema is older than the statement. */
export function isUndefinedTable(error: unknown): boolean {
  return sqlState(error) === UNDEFINED_TABLE;
}

/** True if another transaction held a lock for too long: nothing was written. */
export function isLockedOut(error: unknown): boolean {
  return sqlState(error) === LOCK_NOT_AVAILABLE;
}

/**
 * True if a statement needs the partition of a day, by its name or for a new row, and PostgreSQL has none. The same statement
 * works when maintenance has made it (`PartitionsRepository.ensure`).
 */
export function isPartitionMissing(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { driverError = error } = error as { driverError?: object };
  const { routine, message } = driverError as { routine?: unknown; message?: unknown };
  return routine === FINDS_PARTITION || (isUndefinedTable(error) && DAY_IN_NAME.test(String(message)));
}

/** The SQLSTATE of an error that came from PostgreSQL, or undefined. */
export function sqlState(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, driverError } = error as { code?: unknown; driverError?: { code?: unknown } };
  const found = driverError?.code ?? code;
  return typeof found === 'string' ? found : undefined;
}

/** The code of the triggers that guard a user who is being erased (migration `Erasures`). */
const BEING_ERASED = 'PR001';

/**
 * True if PostgreSQL wrote nothing because a user of the statement is being erased. The same statement works when the
 * erasure has ended.
 */
export function isBeingErased(error: unknown): boolean {
  return sqlState(error) === BEING_ERASED;
}
