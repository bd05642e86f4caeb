import { Injectable } from '@nestjs/common';
import { type Executor, rows } from '../database/executor';
import { type Parameter, parameter, type Sql, sql } from '../sql';
import { copyPromoCodes, type PromoCodeWriter } from './copy-promo-codes';
import type { PromoSetKey } from './promo-set';

/** Sorting twenty million codes takes long, and less long with more memory. */
const STATEMENT_TIMEOUT = '30min';
const WORK_MEM = '32MB';

/** The last code that each set has given out, by set id. */
export type GivenThrough = Record<string, number>;

/** A set, as values of a statement. */
interface NamedSet {
  app: Parameter;
  set: Parameter;
}

/** The codes of a set one by one, with their positions. */
const linesOf = ({ app, set }: NamedSet): Sql => sql`
  SELECT b.number, line.place, line.code
  FROM promo_codes b CROSS JOIN LATERAL string_to_table(b.codes, E'\\n') WITH ORDINALITY AS line (code, place)
  WHERE b.app_id = ${app} AND b.set_id = ${set}`;

/** The codes of sets that are being imported. Each method runs in the transaction that copies or settles them. */
@Injectable()
export class PromoCodesRepository {
  /**
   * Starts copying codes into a set: nothing else can run in the transaction until `end`.
   *
   * @param firstBlock the number of the first row of `promo_codes`
   */
  async copy(executor: Executor, key: PromoSetKey, firstBlock: number): Promise<PromoCodeWriter> {
    return copyPromoCodes(executor, key, firstBlock);
  }

  /** Gives the statements of this transaction the time and memory that sorting a large set needs. */
  async allowLongSort(executor: Executor): Promise<void> {
    await rows(
      executor,
      sql`SELECT set_config('statement_timeout', ${STATEMENT_TIMEOUT}, true), set_config('work_mem', ${WORK_MEM}, true)`,
    );
  }

  /**
   * Keeps the first copy of every code of a set. Most files have no duplicates, and a comparison of hashes finds that
   * out at half the cost.
   *
   * @returns the number of codes in the set
   */
  async removeDoubled(executor: Executor, key: PromoSetKey): Promise<number> {
    const named = namedSet(key);
    const [counted] = await rows<{ codes: number; different: number }>(
      executor,
      sql`SELECT count(*)::float8 AS codes, count(DISTINCT hashtextextended(code, 0))::float8 AS different
          FROM (${linesOf(named)}) l`,
    );
    if (!counted || counted.codes === counted.different) return counted?.codes ?? 0;
    const doubled = sql`SELECT number, place FROM (
        SELECT number, place, row_number() OVER (PARTITION BY code ORDER BY number, place) AS nth FROM (${linesOf(named)}) l
      ) n WHERE nth > 1`;
    return counted.codes - (await this.#remove(executor, named, doubled));
  }

  /** Reads how many codes the other sets of a source have given out at this moment. */
  async readGivenThrough(executor: Executor, { appId, setId }: PromoSetKey, trackId: string): Promise<GivenThrough> {
    const found = await rows<{ setId: string; lastOrdinal: number }>(
      executor,
      sql`SELECT set_id AS "setId", last_ordinal AS "lastOrdinal" FROM promo_sets
          WHERE app_id = ${appId} AND track_id = ${trackId} AND set_id <> ${setId} AND last_ordinal > 0`,
    );
    return Object.fromEntries(found.map((set) => [set.setId, set.lastOrdinal]));
  }

  /**
   * Deletes codes of a set that other sets of its source have given out: those behind `after` and up to `through`.
   *
   * @returns the number of deleted codes
   */
  async removeGiven(
    executor: Executor,
    key: PromoSetKey,
    { after, through }: { after: GivenThrough; through: GivenThrough },
  ): Promise<number> {
    const grown = Object.entries(through).filter(([setId, ordinal]) => ordinal > (after[setId] ?? 0));
    if (grown.length === 0) return 0;
    const named = namedSet(key);
    const given = sql`SELECT l.number, l.place FROM (${linesOf(named)}) l WHERE l.code IN (
        SELECT a.code FROM unnest(
          ${grown.map(([setId]) => setId)}::uuid[],
          ${grown.map(([setId]) => after[setId] ?? 0)}::integer[],
          ${grown.map(([, ordinal]) => ordinal)}::integer[]
        ) AS other (set_id, after, through)
        JOIN promo_assignments a ON a.app_id = ${named.app} AND a.set_id = other.set_id
          AND a.ordinal > other.after AND a.ordinal <= other.through
      )`;
    return this.#remove(executor, named, given);
  }

  /** @param doomed selects number and place of the codes to delete @returns the number of deleted codes */
  async #remove(executor: Executor, { app, set }: NamedSet, doomed: Sql): Promise<number> {
    const [removed] = await rows<{ count: number }>(
      executor,
      sql`WITH doomed AS MATERIALIZED (
            SELECT number, array_agg(place) AS places FROM (${doomed}) d GROUP BY number
          ), rest AS (
            UPDATE promo_codes b SET codes = (
              SELECT coalesce(string_agg(line.code, E'\\n' ORDER BY line.place), '')
              FROM string_to_table(b.codes, E'\\n') WITH ORDINALITY AS line (code, place)
              WHERE line.place <> ALL (doomed.places)
            )
            FROM doomed WHERE b.app_id = ${app} AND b.set_id = ${set} AND b.number = doomed.number
          )
          SELECT coalesce(sum(cardinality(places)), 0)::float8 AS count FROM doomed`,
    );
    await rows(executor, sql`DELETE FROM promo_codes WHERE app_id = ${app} AND set_id = ${set} AND codes = ''`);
    return removed?.count ?? 0;
  }
}

function namedSet({ appId, setId }: PromoSetKey): NamedSet {
  return { app: parameter(appId), set: parameter(setId) };
}
