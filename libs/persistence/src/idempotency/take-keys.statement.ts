import { idempotencyLock } from '../database/lock-ids';
import { type Parameter, sql, type Sql } from '../sql';
import { erasedKeyOf } from './erased-key';

/** The columns of `asked` that `takeKeysSql` reads, as `name type`. */
export const KEY_COLUMNS: readonly Sql[] = [
  sql`idempotency_key text`,
  sql`request_hash text`,
  sql`answer jsonb`,
  sql`kept_since timestamptz`,
];

/**
 * Takes the idempotency keys of requests that the surrounding statement carries out, and stores their answers. They are
 * common table expressions that follow one named `asked`, which has a row for each request with `id`, `accepted_at` and
 * `KEY_COLUMNS`:
 * - `keyed (id, key, is_free)`: a row for each key; if several requests share one, the first. Not free: another request
 *   with it is running;
 * - `taken (id)`: the requests to carry out. Every other request with a free key was carried out before.
 * The unique index decides which request gets a key, whatever this statement saw when it began. The locks are those
 * that `IdempotencyRepository.tryLock` takes. Keys are taken in their order, so that two statements do not block each
 * other.
 * @param count the number of devices of a row of `asked`, which goes into its answer
 */
export function takeKeysSql({ app, count }: { app: Parameter; count: (asked: Sql) => Sql }): Sql {
  const lock = idempotencyLock({ app, key: sql`a.idempotency_key` });
  const erased = erasedKeyOf({ app: sql`${app}::text`, key: sql`k.key` });
  return sql`keyed AS MATERIALIZED (
    SELECT DISTINCT ON (a.idempotency_key) a.id, a.idempotency_key AS key, pg_try_advisory_xact_lock(${lock}) AS is_free
    FROM asked a ORDER BY a.idempotency_key, a.id
  ), kept AS (
    INSERT INTO idempotency_keys AS i (app_id, key, request_hash, answer, locked_at, created_at)
    SELECT ${app}, k.key, decode(a.request_hash, 'base64'), a.answer || jsonb_build_object('count', ${count(sql`a`)}),
      a.accepted_at, a.accepted_at
    FROM keyed k JOIN asked a ON a.id = k.id
    WHERE k.is_free AND NOT EXISTS (
      SELECT FROM idempotency_keys e WHERE e.app_id = ${app} AND e.key = ${erased} AND e.created_at > a.kept_since
    )
    ORDER BY k.key
    ON CONFLICT (app_id, key) DO UPDATE
      SET request_hash = excluded.request_hash, answer = excluded.answer, locked_at = excluded.locked_at,
        created_at = excluded.created_at
      WHERE i.answer IS NULL OR i.created_at <= (SELECT min(kept_since) FROM asked)
    RETURNING key
  ), taken AS (
    SELECT k.id FROM keyed k JOIN kept ON kept.key = k.key
  )`;
}
