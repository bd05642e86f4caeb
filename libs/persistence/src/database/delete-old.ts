/** Rows that one statement deletes: a statement that holds up nobody. */
const DELETE_LIMIT = 1_000;

/**
 * Deletes what is older than `before`, statement by statement, until nothing is left of it or `signal` fires.
 *
 * @param deleteSome deletes up to `limit` rows and gives how many went
 * @returns how many went
 */
export async function deleteOld(
  deleteSome: (before: Date, limit: number) => Promise<number>,
  before: Date,
  signal: AbortSignal,
): Promise<number> {
  let deleted = 0;
  while (!signal.aborted) {
    const some = await deleteSome(before, DELETE_LIMIT);
    deleted += some;
    if (some < DELETE_LIMIT) break;
  }
  return deleted;
}
