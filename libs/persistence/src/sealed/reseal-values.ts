import { type SecretBox, UnopenedSeal } from '@postrider/platform';
import { type Database, rows } from '../database/executor';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns';

/** What a run found. */
export interface ResealReport {
  /** How many values are sealed anew, by what they are (`vendor credentials`). */
  resealed: Record<string, number>;
  /** The contexts of values that open under no key. They are as they were. */
  unopened: string[];
}

type Row = { key: string[]; sealed: Buffer };

/**
 * Seals everything anew under `SECRET_KEY` that is stored under the key before it. A value that another process writes meanwhile
 * stays as it was written. A run that was killed is taken up by the next one: what is sealed under `SECRET_KEY` is left alone.
 *
 * @param batch rows that are read at a time
 */
export async function resealValues(database: Database, box: SecretBox, batch = 500): Promise<ResealReport> {
  const report: ResealReport = { resealed: {}, unopened: [] };
  for (const column of SEALED_COLUMNS) {
    report.resealed[column.name] = 0;
    let after: string[] | null = null;
    do {
      const read = await readSealed(database, column, after, batch);
      for (const row of read) await reseal(database, box, column, row, report);
      after = read.length < batch ? null : (read.at(-1)?.key ?? null);
    } while (after !== null);
  }
  return report;
}

async function reseal(
  database: Database,
  box: SecretBox,
  column: SealedColumn,
  { key, sealed }: Row,
  report: ResealReport,
): Promise<void> {
  const context = column.contextOf(key);
  try {
    const anew = box.reseal(sealed, context);
    if (anew === null || !(await replaceSealed(database, column, key, sealed, anew))) return;
    report.resealed[column.name] = (report.resealed[column.name] ?? 0) + 1;
  } catch (error) {
    if (!(error instanceof UnopenedSeal)) throw error;
    report.unopened.push(context);
  }
}

/** The next rows in the order of their keys. */
function readSealed(
  database: Database,
  { table, column, key }: SealedColumn,
  after: string[] | null,
  limit: number,
): Promise<Row[]> {
  const names = key.map(([name]) => name).join(', ');
  const texts = key.map(([name]) => `${name}::text`).join(', ');
  const bounds = key.map(([, type], n) => `$${n + 2}::${type}`).join(', ');
  return rows(
    database,
    `SELECT ARRAY[${texts}] AS key, ${column} AS sealed FROM ${table}
     ${after === null ? '' : `WHERE (${names}) > (${bounds})`}
     ORDER BY ${names} LIMIT $1`,
    [limit, ...(after ?? [])],
  );
}

/** Replaces a value unless another process has replaced it. */
async function replaceSealed(
  database: Database,
  { table, column, key }: SealedColumn,
  values: string[],
  from: Buffer,
  to: Buffer,
): Promise<boolean> {
  const isRow = key.map(([name, type], n) => `${name} = $${n + 3}::${type}`).join(' AND ');
  const replaced = await rows(
    database,
    `UPDATE ${table} SET ${column} = $2 WHERE ${isRow} AND ${column} = $1 RETURNING 1`,
    [from, to, ...values],
  );
  return replaced.length > 0;
}
