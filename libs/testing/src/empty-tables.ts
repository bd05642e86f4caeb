/** What runs statements: a data source, a transaction of one, or a test's own helper around them. */
interface Statements {
  query(text: string): Promise<unknown>;
}

/** A table that holds more is truncated: its dead rows would be read again by every statement that follows. */
const LARGEST_BYTES = 4 * 2 ** 20;

/**
 * Removes the rows of `tables`, of their partitions, and of all tables that refer to them, as `TRUNCATE … CASCADE` does, between
 * the tests of one file. It waits for transactions that write to them, as that does too.
 *
 * TRUNCATE makes new files for every partition and each of its indexes, some three hundred, and every connection then reads anew
 * what it knew of them. This deletes the rows of the few partitions that have any.
 *
 * @param tables their names, written by the test itself
 */
export function emptyTables(database: Statements, ...tables: readonly string[]): Promise<void> {
  return empty(database, `SELECT unnest('{${tables.join(',')}}'::regclass[])::oid`);
}

/** As `emptyTables`, of all tables but the one that says which migrations have run. Numbers that were given are not given again. */
export function emptyAllTables(database: Statements): Promise<void> {
  return empty(
    database,
    `SELECT oid FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND relname <> 'migrations'`,
  );
}

/** @param named the statement that finds the tables */
async function empty(database: Statements, named: string): Promise<void> {
  await database.query(`DO $empty$
    DECLARE
      emptied regclass[];
      one regclass;
    BEGIN
      WITH RECURSIVE found (id) AS (
        ${named}
        UNION
        SELECT next.id
        FROM found
        JOIN (
          SELECT confrelid AS of, conrelid AS id FROM pg_constraint WHERE contype = 'f'
          UNION ALL
          SELECT inhparent, inhrelid FROM pg_inherits
        ) AS next ON next.of = found.id
      )
      SELECT array_agg(oid::regclass ORDER BY oid) INTO emptied
      FROM found JOIN pg_class ON oid = found.id
      WHERE relkind IN ('r', 'p');

      EXECUTE (SELECT 'LOCK TABLE ' || string_agg(id::text, ', ') || ' IN ACCESS EXCLUSIVE MODE' FROM unnest(emptied) AS id);
      IF (SELECT max(pg_relation_size(id)) FROM unnest(emptied) AS id) > ${LARGEST_BYTES} THEN
        EXECUTE (SELECT 'TRUNCATE ' || string_agg(id::text, ', ') FROM unnest(emptied) AS id);
        RETURN;
      END IF;
      -- No trigger: what refers to the rows is emptied too.
      SET LOCAL session_replication_role = replica;
      FOREACH one IN ARRAY emptied LOOP
        IF pg_relation_size(one) > 0 THEN EXECUTE 'DELETE FROM ONLY ' || one::text; END IF;
      END LOOP;
    END
  $empty$`);
}
