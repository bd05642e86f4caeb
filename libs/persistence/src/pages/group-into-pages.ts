import { type Parameter, sql, type Sql } from '../sql';

/** Devices to put on pages together, as parts of a statement. */
interface DevicesForPages {
  /** FROM and WHERE of the devices: rows with `id` and the columns of `keys`. */
  devices: Sql;
  /** Columns, separated by commas. Devices that differ in one of them never share a page. */
  keys: Sql;
  /** The most devices on a page; an integer. */
  pageSize: Sql | Parameter;
}

/**
 * Groups devices into pages: a SELECT of `keys`, `place` (a page's number among those of the same keys, from 0) and
 * `device_ids`. Pages hold their devices in order, and follow each other, because lists of a message's devices read the
 * ends of each page first.
 */
export function groupIntoPages({ devices, keys, pageSize }: DevicesForPages): Sql {
  // Pages are cut out of one array. Numbering the devices first would sort them twice, and cost PostgreSQL twice as
  // much.
  return sql`SELECT ${keys}, place, ids[place * size + 1 : (place + 1) * size] AS device_ids
    FROM (SELECT ${keys}, array_agg(id ORDER BY id) AS ids, ${pageSize} AS size FROM ${devices} GROUP BY ${keys}) grouped
    CROSS JOIN LATERAL generate_series(0, (cardinality(ids) - 1) / size) AS place`;
}
