import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rows of `installations` that one statement looks at. */
const ROWS_AT_ONCE = 5_000;

/**
 * A token of APNs has small letters, because it is the key of its device: an app that gave it in capitals and a file
 * that had it in small letters made two installations of one phone, which got each message twice.
 *
 * Where there are two, the one that the app itself registered keeps the token, or else the newer one. The other stays as
 * a device without a token.
 */
export class ApnsTokens1795824010000 implements MigrationInterface {
  name = 'ApnsTokens1795824010000';
  transaction = false;

  /** In batches by primary key, each in transactions of its own: devices register meanwhile. */
  async up(queryRunner: QueryRunner): Promise<void> {
    let after: Place | undefined = { app_id: '', id: '0' };
    while (after !== undefined) {
      const from = [after.app_id, after.id];
      await queryRunner.query(LEAVE_TOKEN_TO_ONE, from);
      await queryRunner.query(WRITE_SMALL, from);
      // Two rows of a portion may differ in their capitals alone: one of them has small letters now.
      await queryRunner.query(LEAVE_TOKEN_TO_ONE, from);
      [after] = (await queryRunner.query(LAST_OF_PORTION, from)) as Place[];
    }
  }

  async down(): Promise<void> {
    // Nothing depends on capitals.
  }
}

/** The last row of a portion. */
interface Place {
  app_id: string;
  id: string;
}

const PORTION = `
  SELECT * FROM installations WHERE (app_id, id) > ($1, $2::bigint) ORDER BY app_id, id LIMIT ${ROWS_AT_ONCE}`;

/** The rows of a portion that have a token with capitals, one for each token. The first is the one that keeps it. */
const CAPITALS = `
  SELECT DISTINCT ON (app_id, lower(token)) app_id, id, lower(token) AS small, ${rankOf('portion')} AS rank
  FROM (${PORTION}) portion
  WHERE push_type = 'apns' AND token ~ '[A-F]' AND token ~ '^[0-9A-Fa-f]+$'
  ORDER BY app_id, lower(token), ${rankOf('portion')} DESC, id`;

/** The key of the index `installations_token`. */
const HAS_SMALL = `other.app_id = capitals.app_id AND other.push_type = 'apns' AND other.token IS NOT NULL
  AND md5(CASE other.push_type
      WHEN 'webpush' THEN coalesce(substring(other.token from '"endpoint":"([^"]*)"'), other.token)
      ELSE other.token END)::uuid = md5(capitals.small)::uuid`;

const LEAVE_TOKEN_TO_ONE = `
  WITH capitals AS MATERIALIZED (${CAPITALS}), losers AS (
    SELECT other.app_id, CASE WHEN ${rankOf('other')} > capitals.rank THEN capitals.id ELSE other.id END AS id
    FROM capitals JOIN installations other ON ${HAS_SMALL}
  )
  UPDATE installations i SET token = NULL, token_registered_at = NULL
  FROM losers WHERE i.app_id = losers.app_id AND i.id = losers.id`;

const WRITE_SMALL = `
  WITH capitals AS MATERIALIZED (${CAPITALS})
  UPDATE installations i SET token = capitals.small
  FROM capitals WHERE i.app_id = capitals.app_id AND i.id = capitals.id
    AND NOT EXISTS (SELECT FROM installations other WHERE ${HAS_SMALL})`;

const LAST_OF_PORTION = `
  SELECT app_id, id::text FROM (${PORTION}) portion ORDER BY app_id DESC, id DESC LIMIT 1`;

/** Orders two installations of one phone: what an app registered is above what a file had, and newer above older. */
function rankOf(row: string): string {
  return `ROW(${row}.imported_at IS DISTINCT FROM ${row}.token_registered_at, coalesce(${row}.token_registered_at, '-infinity'))`;
}
