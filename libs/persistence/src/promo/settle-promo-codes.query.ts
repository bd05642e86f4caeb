import { type Executor, rows } from '../database/executor';
import type { PromoSetKey } from './promo-set';

/** Sorting twenty million codes takes its time, and less of it with some memory. */
const STATEMENT_TIMEOUT = '30min';
const WORK_MEM = '32MB';

/** Lets the statements of this transaction take as long, and as much memory, as sorting a large set needs. */
export async function allowLongSort(executor: Executor): Promise<void> {
  await rows(executor, `SELECT set_config('statement_timeout', $1, true), set_config('work_mem', $2, true)`, [
    STATEMENT_TIMEOUT,
    WORK_MEM,
  ]);
}

/** A set's codes one by one, with where each stands. */
const LINES = `
  SELECT b.number, line.place, line.code
  FROM promo_codes b CROSS JOIN LATERAL string_to_table(b.codes, E'\\n') WITH ORDINALITY AS line (code, place)
  WHERE b.app_id = $1 AND b.set_id = $2`;

/**
 * Leaves every code of a set once, where it stands first in the file. Most files hold no code twice, which comparing hashes
 * tells at half the cost.
 *
 * @returns how many codes the set has now
 */
export async function removeDoubledCodes(executor: Executor, { appId, setId }: PromoSetKey): Promise<number> {
  const count = `SELECT count(*)::float8 AS codes, count(DISTINCT hashtextextended(code, 0))::float8 AS different FROM (${LINES}) l`;
  const [counted] = await rows<{ codes: number; different: number }>(executor, count, [appId, setId]);
  if (!counted || counted.codes === counted.different) return counted?.codes ?? 0;
  const doubled = `SELECT number, place FROM (
    SELECT number, place, row_number() OVER (PARTITION BY code ORDER BY number, place) AS nth FROM (${LINES}) l
  ) n WHERE nth > 1`;
  return counted.codes - (await removeCodes(executor, { appId, setId }, doubled, []));
}

/** The last code that each set has given away, by set id. */
export type GivenThrough = Record<string, number>;

/** How far the other sets of a source have been handed out at this moment. */
export async function readGivenThrough(
  executor: Executor,
  { appId, setId }: PromoSetKey,
  trackId: string,
): Promise<GivenThrough> {
  const found = await rows<{ setId: string; lastOrdinal: number }>(
    executor,
    `SELECT set_id AS "setId", last_ordinal AS "lastOrdinal" FROM promo_sets
     WHERE app_id = $1 AND track_id = $2 AND set_id <> $3 AND last_ordinal > 0`,
    [appId, trackId, setId],
  );
  return Object.fromEntries(found.map((set) => [set.setId, set.lastOrdinal]));
}

/**
 * Takes codes out of a set that others of its source have given away: those behind `after` and up to `through`.
 *
 * @returns how many went
 */
export async function removeGivenCodes(
  executor: Executor,
  key: PromoSetKey,
  { after, through }: { after: GivenThrough; through: GivenThrough },
): Promise<number> {
  const grown = Object.entries(through).filter(([setId, ordinal]) => ordinal > (after[setId] ?? 0));
  if (grown.length === 0) return 0;
  const given = `SELECT l.number, l.place FROM (${LINES}) l WHERE l.code IN (
    SELECT a.code FROM unnest($3::uuid[], $4::integer[], $5::integer[]) AS other (set_id, after, through)
    JOIN promo_assignments a ON a.app_id = $1 AND a.set_id = other.set_id
      AND a.ordinal > other.after AND a.ordinal <= other.through
  )`;
  return removeCodes(executor, key, given, [
    grown.map(([setId]) => setId),
    grown.map(([setId]) => after[setId] ?? 0),
    grown.map(([, ordinal]) => ordinal),
  ]);
}

/** @param doomed SQL that gives number and place of what is to go; $1 and $2 name the set */
async function removeCodes(
  executor: Executor,
  { appId, setId }: PromoSetKey,
  doomed: string,
  parameters: readonly unknown[],
): Promise<number> {
  const [removed] = await rows<{ count: number }>(
    executor,
    `WITH doomed AS MATERIALIZED (
       SELECT number, array_agg(place) AS places FROM (${doomed}) d GROUP BY number
     ), rest AS (
       UPDATE promo_codes b SET codes = (
         SELECT coalesce(string_agg(line.code, E'\\n' ORDER BY line.place), '')
         FROM string_to_table(b.codes, E'\\n') WITH ORDINALITY AS line (code, place)
         WHERE line.place <> ALL (doomed.places)
       )
       FROM doomed WHERE b.app_id = $1 AND b.set_id = $2 AND b.number = doomed.number
     )
     SELECT coalesce(sum(cardinality(places)), 0)::float8 AS count FROM doomed`,
    [appId, setId, ...parameters],
  );
  await rows(executor, `DELETE FROM promo_codes WHERE app_id = $1 AND set_id = $2 AND codes = ''`, [appId, setId]);
  return removed?.count ?? 0;
}
