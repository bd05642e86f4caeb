import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex, dropIndex } from './build-index';

/**
 * A token of APNs in capitals and in small letters is one device: Capacitor gives capitals, and most files have small
 * letters. It was two installations, and the phone got each message twice. The tokens themselves stay as they are.
 *
 * The index `installations_token` stays: it is the one of all other vendors, and processes of the version before name its
 * expression. The new index has no column `push_type`: while PostgreSQL has no statistics, it would take either for the other,
 * and read all devices of a vendor.
 */
export class ApnsTokens1795824010000 implements MigrationInterface {
  name = 'ApnsTokens1795824010000';
  transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (let tries = 1; ; tries++) {
      await leaveEachTokenToOne(queryRunner);
      try {
        await buildIndex(queryRunner, INDEX);
        return;
      } catch (error) {
        // A process of the version before has made another pair meanwhile.
        if (!isUniqueViolation(error) || tries === MOST_TRIES) throw error;
      }
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropIndex(queryRunner, INDEX.table, INDEX.name);
  }
}

const KEY = `(CASE WHEN push_type = 'apns' THEN md5(lower(token COLLATE "C"))::uuid END)`;

const INDEX = {
  name: 'installations_apns_token',
  table: 'installations',
  definition: `(app_id, ${KEY}) WHERE ${KEY} IS NOT NULL`,
  isUnique: true,
};

const MOST_TRIES = 10;
/** Installations that one transaction removes: devices may wait for it. */
const ROWS_AT_ONCE = 200;

/** An installation whose token another one keeps. */
interface Pair {
  app_id: string;
  /** The installation that goes. */
  id: string;
  /** The one that stays. */
  kept: string;
}

/**
 * As when a device registers a token that another installation has: that one is removed, and what waits for it is
 * skipped. The one that the app registered last stays; one that only a file has made goes first, since its app does not
 * know its id.
 */
async function leaveEachTokenToOne(runner: QueryRunner): Promise<void> {
  const pairs = (await runner.query(PAIRS)) as Pair[];
  for (let at = 0; at < pairs.length; at += ROWS_AT_ONCE) await remove(runner, pairs.slice(at, at + ROWS_AT_ONCE));
}

const PAIRS = `
  SELECT app_id, id::text, kept::text FROM (
    SELECT app_id, id, first_value(id) OVER (
      PARTITION BY app_id, lower(token COLLATE "C")
      ORDER BY imported_at IS NOT DISTINCT FROM token_registered_at AND imported_at IS NOT NULL,
        token_registered_at DESC NULLS LAST, id DESC) AS kept
    FROM installations WHERE push_type = 'apns' AND token IS NOT NULL
  ) ranked WHERE id <> kept ORDER BY app_id, id`;

async function remove(runner: QueryRunner, pairs: readonly Pair[]): Promise<void> {
  const named = [pairs.map(({ app_id }) => app_id), pairs.map(({ id }) => id), pairs.map(({ kept }) => kept)];
  await runner.startTransaction();
  try {
    const held = (await runner.query(HOLD, named)) as Pair[];
    const gone = [held.map(({ app_id }) => app_id), held.map(({ id }) => id)];
    await runner.query(SKIP, gone);
    await runner.query(DELETE, gone);
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}

/** Locks those that still have the token of the other one. */
const HOLD = `
  SELECT i.app_id, i.id::text
  FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS pair (app_id, id, kept)
  JOIN installations i ON i.app_id = pair.app_id AND i.id = pair.id
  JOIN installations k ON k.app_id = pair.app_id AND k.id = pair.kept
  WHERE i.push_type = 'apns' AND k.push_type = 'apns' AND lower(i.token COLLATE "C") = lower(k.token COLLATE "C")
  ORDER BY i.app_id, i.id FOR UPDATE OF i`;

const SKIP = `
  UPDATE deliveries d SET state = 'skipped', rank = 1, error_code = 'installation_removed',
    reason = 'The installation was removed: its token belongs to another one', updated_at = now()
  FROM unnest($1::text[], $2::bigint[]) AS gone (app_id, id)
  WHERE d.app_id = gone.app_id AND d.device_id = gone.id AND d.state = 'pending'`;

const DELETE = `
  DELETE FROM installations i USING unnest($1::text[], $2::bigint[]) AS gone (app_id, id)
  WHERE i.app_id = gone.app_id AND i.id = gone.id`;

function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: unknown }).code === '23505';
}
