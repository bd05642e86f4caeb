/** PostgreSQL's code for a second row under a unique key (SQLSTATE 23505). */
const UNIQUE_VIOLATION = '23505';

/** PostgreSQL's code for a statement that was cancelled, or that took longer than it may. */
export const QUERY_CANCELLED = '57014';

/** Whether `error` is PostgreSQL refusing a second row under a unique key. */
export function uniqueViolation(error: unknown): boolean {
  return sqlState(error) === UNIQUE_VIOLATION;
}

/** The SQLSTATE of an error that came from PostgreSQL, or undefined. */
export function sqlState(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, driverError } = error as { code?: unknown; driverError?: { code?: unknown } };
  const found = driverError?.code ?? code;
  return typeof found === 'string' ? found : undefined;
}
