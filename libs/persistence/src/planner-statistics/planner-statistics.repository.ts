import { MINUTE_MS } from '@postrider/domain';
import { Inject, Injectable } from '@nestjs/common';
import { type Database, DATABASE, rows } from '../database/executor';
import { readInBackground } from '../database/read-in-background';
import { identifier, sql } from '../sql';

/** A table whose rows belong to applications, and the column that follows `app_id` in its primary key. */
interface AnalysedTable {
  name: string;
  nextInKey: string;
}

const TABLES: readonly AnalysedTable[] = [
  { name: 'installations', nextInKey: 'id' },
  { name: 'users', nextInKey: 'user_id' },
];

/** An application with fewer rows is read in about a millisecond, however it is read. */
const MANY_ROWS = 1_000;
/** ANALYZE reads 30,000 rows with the usual statistics target. It sees at least ten rows of an application with this share. */
const SHARE_SEEN = 10 / 30_000;
/** If the planner expects more rows of an application than this, an index that also has the other column is cheaper to it. */
const FEW_ROWS = 10;
/** ANALYZE may miss an application in its sample: even then it runs only once in this time. */
const NOT_AGAIN_WITHIN_MS = MINUTE_MS;
/** It takes milliseconds. A table that is locked for longer is left for the next time. */
const LIMIT_MS = 2_000;

/** What PostgreSQL's planner knows of the applications of a table (docs/decisions/0041-new-applications-are-analysed.md). */
@Injectable()
export class PlannerStatisticsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Renews the statistics of `app_id` in tables that have many rows of an application of which the planner expects none. It
   * waits for nobody: a table that is vacuumed, or locked by a migration, is left for the next time.
   *
   * @returns the names of the tables whose statistics are new now
   */
  async renew(now: Date): Promise<string[]> {
    const renewed: string[] = [];
    for (const table of TABLES) {
      if (!(await this.#hasUnexpectedRows(table, now))) continue;
      await rows(this.database, sql`ANALYZE (SKIP_LOCKED) ${identifier(table.name)} (app_id)`);
      if (!(await this.#hasUnexpectedRows(table, now))) renewed.push(table.name);
    }
    return renewed;
  }

  /**
   * `others` is what the planner expects of an application that is not in its list of the most common ones (`var_eq_const` in
   * PostgreSQL's source). A table without statistics has no row in `pg_stats`: the planner expects a two-hundredth of it then.
   * Rows are counted in the order of the key, so that they are never found by reading other applications.
   */
  async #hasUnexpectedRows({ name, nextInKey }: AnalysedTable, now: Date): Promise<boolean> {
    const [table, key] = [identifier(name), identifier(nextInKey)];
    const statement = sql`
        WITH listed AS (
          SELECT t.reltuples AS size, coalesce(s.most_common_vals::text::text[], '{}') AS applications,
            coalesce((SELECT sum(f::float8) FROM unnest(s.most_common_freqs) AS f), 0) AS share,
            CASE WHEN s.n_distinct < 0 THEN -s.n_distinct * t.reltuples ELSE s.n_distinct END AS of_all
          FROM pg_stats s JOIN pg_class t ON t.oid = ${name}::regclass
          WHERE s.schemaname = current_schema() AND s.tablename = ${name} AND s.attname = 'app_id' AND NOT s.inherited
            AND coalesce(pg_stat_get_last_analyze_time(t.oid), '-infinity')
              < ${new Date(now.getTime() - NOT_AGAIN_WITHIN_MS)}::timestamptz
        ), known AS MATERIALIZED (
          SELECT applications, (1 - share) * size / greatest(of_all - cardinality(applications), 1) AS others,
            greatest(${MANY_ROWS}, size * ${SHARE_SEEN}::float8)::bigint AS many
          FROM listed
        )
        SELECT a.app_id FROM known k JOIN applications a ON a.app_id <> ALL (k.applications)
        WHERE k.others < ${FEW_ROWS} AND (
          SELECT ${key} FROM ${table} WHERE app_id = a.app_id ORDER BY app_id, ${key} OFFSET k.many - 1 LIMIT 1
        ) IS NOT NULL
        LIMIT 1`;
    const found = await readInBackground(this.database, LIMIT_MS, (executor) => rows(executor, statement));
    return found !== null && found.length > 0;
  }
}
