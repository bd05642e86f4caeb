import { Inject, Injectable } from '@nestjs/common';
import { type SecretBox, UnopenedSeal } from '@postrider/platform';
import { type Database, DATABASE, rows } from '../database/executor';
import { identifier, joined, type Sql, sql } from '../sql';
import { SEAL_CONTEXTS } from './seal-contexts';

/** A column that holds values sealed under `SECRET_KEY`. */
interface SealedColumn {
  /** Its content, in words for a person. */
  name: string;
  table: string;
  column: string;
  /** The primary key: its columns and their types. */
  key: readonly (readonly [column: string, type: string])[];
  /** The context in which the value of a row is sealed. */
  contextOf(key: readonly string[]): string;
}

/**
 * Every column whose values are sealed under `SECRET_KEY`. A new column must be added here, or its values are lost when
 * the key is changed.
 */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    name: 'identity keys',
    table: 'applications',
    column: 'identity_key_sealed',
    key: [['app_id', 'text']],
    contextOf: ([appId = '']) => SEAL_CONTEXTS.identityKey(appId),
  },
  {
    name: 'former identity keys',
    table: 'applications',
    column: 'former_identity_key_sealed',
    key: [['app_id', 'text']],
    contextOf: ([appId = '']) => SEAL_CONTEXTS.formerIdentityKey(appId),
  },
  {
    name: 'phone keys',
    table: 'phone_keys',
    column: 'sealed',
    key: [['phone_key_id', 'uuid']],
    contextOf: ([phoneKeyId = '']) => SEAL_CONTEXTS.phoneKey(phoneKeyId),
  },
  {
    name: 'vendor credentials',
    table: 'vendor_credentials',
    column: 'sealed',
    key: [
      ['app_id', 'text'],
      ['vendor', 'text'],
    ],
    contextOf: ([appId = '', vendor = '']) => SEAL_CONTEXTS.vendorCredentials(appId, vendor),
  },
  {
    name: 'webhook secrets',
    table: 'webhooks',
    column: 'sealed',
    key: [
      ['app_id', 'text'],
      ['webhook_id', 'uuid'],
    ],
    contextOf: ([appId = '', webhookId = '']) => SEAL_CONTEXTS.webhookSecrets(appId, webhookId),
  },
];

/** The result of a run. */
export interface ResealReport {
  /** How many values were sealed again, by their name (`vendor credentials`). */
  resealed: Record<string, number>;
  /** The contexts of values that no key opens. They are unchanged. */
  unopened: string[];
}

interface SealedValue {
  key: string[];
  sealed: Buffer;
}

/** The values of all tables that are sealed under `SECRET_KEY`. */
@Injectable()
export class SealedValuesRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Seals all values again under `SECRET_KEY` that are sealed under the former key. A value that another process writes
   * meanwhile is left alone. After a run that was killed, the next run continues: values that are sealed under
   * `SECRET_KEY` already are left alone.
   *
   * @param batch rows that are read at a time
   */
  async reseal(box: SecretBox, batch = 500): Promise<ResealReport> {
    const report: ResealReport = { resealed: {}, unopened: [] };
    for (const column of SEALED_COLUMNS) {
      report.resealed[column.name] = 0;
      let after: string[] | null = null;
      do {
        const read = await this.#read(column, after, batch);
        for (const value of read) await this.#reseal(box, column, value, report);
        after = read.length < batch ? null : (read.at(-1)?.key ?? null);
      } while (after !== null);
    }
    return report;
  }

  async #reseal(box: SecretBox, column: SealedColumn, value: SealedValue, report: ResealReport): Promise<void> {
    const context = column.contextOf(value.key);
    try {
      const anew = box.reseal(value.sealed, context);
      if (anew === null || !(await this.#replace(column, value, anew))) return;
      report.resealed[column.name] = (report.resealed[column.name] ?? 0) + 1;
    } catch (error) {
      if (!(error instanceof UnopenedSeal)) throw error;
      report.unopened.push(context);
    }
  }

  /** The next rows in the order of their keys. */
  #read({ table, column, key }: SealedColumn, after: string[] | null, limit: number): Promise<SealedValue[]> {
    const names = joined(key.map(nameOf), ', ');
    const texts = joined(
      key.map((one) => sql`${nameOf(one)}::text`),
      ', ',
    );
    const isBehind = after === null ? sql`` : sql`AND (${names}) > (${joined(typed(key, after), ', ')})`;
    return rows(
      this.database,
      sql`SELECT ARRAY[${texts}] AS key, ${identifier(column)} AS sealed FROM ${identifier(table)}
          WHERE ${identifier(column)} IS NOT NULL ${isBehind}
          ORDER BY ${names} LIMIT ${limit}`,
    );
  }

  /** Replaces a value unless another process has replaced it. */
  async #replace({ table, column, key }: SealedColumn, value: SealedValue, anew: Buffer): Promise<boolean> {
    const values = typed(key, value.key);
    const isRow = joined(
      key.map((one, n) => sql`${nameOf(one)} = ${values[n]}`),
      ' AND ',
    );
    const replaced = await rows(
      this.database,
      sql`UPDATE ${identifier(table)} SET ${identifier(column)} = ${anew}
          WHERE ${isRow} AND ${identifier(column)} = ${value.sealed} RETURNING 1`,
    );
    return replaced.length > 0;
  }
}

type KeyColumns = SealedColumn['key'];

function nameOf([name]: KeyColumns[number]): Sql {
  return identifier(name);
}

function typed(key: KeyColumns, values: readonly string[]): Sql[] {
  return key.map(([, type], n) => sql`${values[n]}::${identifier(type)}`);
}
