import { type Parameter, sql, type Sql } from '../sql';

/** What goes on pages together, in parts of the statement around it. */
export interface DevicesForPages {
  /** FROM and WHERE of the devices: rows with `id` and the columns of `keys`. */
  devices: Sql;
  /** Columns, separated by commas: devices that differ in one of them never share a page. */
  keys: Sql;
  /** How many devices a page holds at most; an integer. */
  pageSize: Sql | Parameter;
}

/**
 * Groups devices into pages: a SELECT of `keys`, `place` (a page's number among those of the same keys, from 0) and `device_ids`.
 * Pages hold their devices in order, and follow each other: whoever lists a message's devices looks at the ends of each page
 * first.
 */
export function groupIntoPages({ devices, keys, pageSize }: DevicesForPages): Sql {
  return sql`SELECT ${keys}, place, array_agg(id ORDER BY id) AS device_ids
    FROM (
      SELECT ${keys}, id, (row_number() OVER (PARTITION BY ${keys} ORDER BY id) - 1) / ${pageSize} AS place FROM ${devices}
    ) numbered
    GROUP BY ${keys}, place`;
}
