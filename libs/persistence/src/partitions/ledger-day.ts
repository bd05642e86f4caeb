import { DAY_MS, groupBy } from '@postrider/domain';
import { momentOfId } from '@postrider/platform';
import { type Executor, rows } from '../database/executor';
import { preparedName } from '../database/statement-names';
import { isUndefinedTable } from '../database/sql-state';
import { identifier, sql, type Sql } from '../sql';
import { partitionName } from './partitions.repository';

/**
 * The partitions with the messages of one day, and their pages and deliveries, as parts of a statement. PostgreSQL
 * plans a statement on them like one on plain tables: once per connection, and as fast with ninety days in the ledger
 * as with one. (A statement on the partitioned tables is planned over all days each time it runs, and a stored plan
 * reads each day.)
 */
export interface LedgerDay {
  /** Such as `_20260131`. Empty: the partitioned tables themselves. */
  readonly name: string;
  readonly messages: Sql;
  readonly pages: Sql;
  readonly deliveries: Sql;
  readonly packs: Sql;
}

/** The last day that `partitionName` can name; an id may hold any time. */
const LAST_MOMENT = Date.UTC(9999, 11, 31);
const MOST_DAYS = 100;
/** The days by their number since 1970: an id is not written out as a date for each message. */
const known = new Map<number, LedgerDay>();
/** The number of the partitioned tables themselves. */
const NO_DAY = -1;

/** The day in the ledger to which a message belongs, by the time in its id. */
export function dayOfMessage(messageId: string): LedgerDay {
  const moment = momentOfId(messageId).getTime();
  const number = moment <= LAST_MOMENT ? Math.floor(moment / DAY_MS) : NO_DAY;
  let day = known.get(number);
  if (day === undefined) {
    const name = number === NO_DAY ? '' : partitionName('', new Date(number * DAY_MS));
    day = {
      name,
      messages: tableOf('messages', name),
      pages: tableOf('pages', name),
      deliveries: tableOf('deliveries', name),
      packs: tableOf('delivery_packs', name),
    };
    if (known.size >= MOST_DAYS) known.clear();
    known.set(number, day);
  }
  return day;
}

function tableOf(table: string, day: string): Sql {
  return identifier(`${table}${day}`);
}

/** Makes something once for each day that is in use, such as the text of a long statement. */
export function onceADay<Made>(make: (day: LedgerDay) => Made): (day: LedgerDay) => Made {
  const made = new WeakMap<LedgerDay, { value: Made }>();
  return (day) => {
    let known = made.get(day);
    if (known === undefined) made.set(day, (known = { value: make(day) }));
    return known.value;
  };
}

/** Groups items by the day of their message. */
export function byDay<Item extends { messageId: string }>(items: readonly Item[]): [LedgerDay, Item[]][] {
  return [...groupBy(items, ({ messageId }) => dayOfMessage(messageId))];
}

/**
 * Runs a statement that names the partitions of a day. A day that was dropped has no rows.
 *
 * @param isPrepared whether each connection keeps its plan: not for texts that grow with a request (segments). Left out: yes
 */
export async function rowsOfDay<Row>(executor: Executor, statement: Sql, isPrepared = true): Promise<Row[]> {
  const { text, values } = statement.toQuery();
  try {
    // TypeORM hands the statement to `pg` as it comes, which takes a named one in this form.
    const named = isPrepared ? ({ name: preparedName(text), text } as unknown as string) : text;
    return await rows<Row>(executor, named, values);
  } catch (error) {
    if (isUndefinedTable(error)) return [];
    throw error;
  }
}

/**
 * Finds which of these days have partitions, in one statement. For ids that come from outside the system: they may name
 * any number of days.
 */
export async function existingDays(executor: Executor, days: readonly LedgerDay[]): Promise<ReadonlySet<LedgerDay>> {
  const found = await rows<{ name: string }>(
    executor,
    sql`SELECT name FROM unnest(${days.map(({ name }) => name)}::text[]) AS day (name)
        WHERE to_regclass('deliveries' || name) IS NOT NULL`,
  );
  const names = new Set(found.map(({ name }) => name));
  return new Set(days.filter(({ name }) => names.has(name)));
}

/**
 * Rows of a JSON array in one parameter, as a FROM item, in the order of the array.
 *
 * PostgreSQL takes it for one row, whatever it holds, and so looks each row up by its key. If it expected many rows, it
 * would read a new table, which looks small, as a whole, and go on doing so while the plan is kept.
 *
 * @param columns names and types
 */
export function keysFrom(items: readonly object[], columns: Sql): Sql {
  return sql`(SELECT * FROM json_to_recordset(${JSON.stringify(items)}::json) AS r (place integer, ${columns}) WHERE r.place % 1 = 0)`;
}
