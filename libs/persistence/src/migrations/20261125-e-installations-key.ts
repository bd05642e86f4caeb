import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from './build-index';

/**
 * The key of `installations` also holds the facts that a count needs of each device: its type, and whether and how it
 * can be reached. So a count of all devices reads only the index, which is a tenth of the table. No device has more
 * index entries than before, and the added columns change seldom: a device that registers or connects again is still
 * updated heap-only.
 * The new index is built beside the old one, while everything else continues. Then the two change places, under a lock
 * for a moment.
 */
export class InstallationsKey1795478520000 implements MigrationInterface {
  name = 'InstallationsKey1795478520000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE ${TABLE} SET (${VACUUMED_OFTEN})`);
    await replaceKey(queryRunner, {
      columns: '(app_id, id) INCLUDE (device_type, usable_vendor, uses_connection, user_proof)',
      others: 4,
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await replaceKey(queryRunner, { columns: '(app_id, id)', others: 0 });
    await queryRunner.query(
      `ALTER TABLE ${TABLE} RESET (autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor)`,
    );
  }
}

/** The columns of the key's index, and the number of included ones. */
interface KeyIndex {
  columns: string;
  others: number;
}

const TABLE = 'installations';
const [KEY, NEW_KEY] = ['installations_pkey', 'installations_new_pkey'];

/**
 * If a page has a row that was changed since the last vacuum, a count also reads its rows. Nobody waits for this lock.
 */
const VACUUMED_OFTEN = 'autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05';

/** If it is killed and called again, it continues. */
async function replaceKey(runner: QueryRunner, { columns, others }: KeyIndex): Promise<void> {
  if ((await othersInKey(runner)) === others) await dropIndex(runner, TABLE, NEW_KEY);
  else {
    await buildIndex(runner, { name: NEW_KEY, table: TABLE, definition: columns, isUnique: true });
    await changePlaces(runner);
  }
  for (const { table, name } of await referencesToKey(runner))
    await runner.query(`ALTER TABLE ${table} VALIDATE CONSTRAINT ${name}`);
}

async function othersInKey(runner: QueryRunner): Promise<number> {
  const [key] = (await runner.query(
    `SELECT indnatts - indnkeyatts AS others FROM pg_index WHERE indrelid = $1::regclass AND indisprimary`,
    [TABLE],
  )) as { others: number }[];
  return key?.others ?? 0;
}

/**
 * One transaction. Foreign keys depend on the index of the key, so they are made again: their rows are checked
 * afterwards. It does not wait for the other tables while it holds `installations`: a statement that has one of them and
 * waits for `installations` would never get it. If one is in use, the migration begins again (`migrate`).
 */
async function changePlaces(runner: QueryRunner): Promise<void> {
  const references = await referencesToKey(runner);
  const statements = [
    `LOCK TABLE ${TABLE} IN ACCESS EXCLUSIVE MODE`,
    ...references.map(({ table }) => `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE NOWAIT`),
    ...references.map(({ table, name }) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`),
    `ALTER TABLE ${TABLE} DROP CONSTRAINT ${KEY}`,
    `ALTER TABLE ${TABLE} ADD CONSTRAINT ${KEY} PRIMARY KEY USING INDEX ${NEW_KEY}`,
    ...references.map(
      ({ table, name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition} NOT VALID`,
    ),
  ];
  await runner.query(statements.join('; '));
}

/** A foreign key to `installations`, as the catalogue writes it: names are quoted if necessary. */
interface Reference {
  table: string;
  name: string;
  definition: string;
}

async function referencesToKey(runner: QueryRunner): Promise<Reference[]> {
  return (await runner.query(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, replace(pg_get_constraintdef(oid), ' NOT VALID', '') AS definition
     FROM pg_constraint WHERE confrelid = $1::regclass AND contype = 'f' ORDER BY 1, 2`,
    [TABLE],
  )) as Reference[];
}
