import type { PhoneDigest } from '@postrider/platform';
import { type Executor, rows } from '../database/executor';

/** The digest of an SQL expression, as `PhoneDigest` makes it, from the placeholders of its two pads. */
function digestSql(phone: string, inner: string, outer: string): string {
  return `encode(sha256(${outer}::bytea || sha256(${inner}::bytea || convert_to(${phone}, 'UTF8'))), 'hex')`;
}

/**
 * Remembers the number of a fallback whose provider says that its owner told it to stop, as a common table expression: a
 * table `recorded` with the fallback's columns. Twilio: 21610; Kavenegar: the status 14 (blocked by its owner).
 *
 * @param inner, outer placeholders of the pads (`PhoneDigest`): the number itself is not kept
 */
export function recordOptOuts(inner: string, outer: string): string {
  return `
  INSERT INTO opted_out_numbers (app_id, phone, provider, code, opted_out_at)
  SELECT app_id, ${digestSql('phone', inner, outer)}, provider, error_code, updated_at FROM recorded
  WHERE phone IS NOT NULL AND state IN ('failed', 'undelivered')
    AND (provider, error_code) IN (('twilio', '21610'), ('kavenegar', '14'))
  ON CONFLICT (app_id, phone) DO NOTHING`;
}

/** A number whose owner wants no SMS. */
export interface OptedOutNumber {
  /** Its digest. */
  digest: string;
  provider: string;
  code: string;
  optedOutAt: Date;
}

/** Those of `phones` whose owners want no SMS of the application. */
export async function findOptedOutNumbers(
  executor: Executor,
  appId: string,
  phones: readonly string[],
  digest: PhoneDigest,
): Promise<Set<string>> {
  if (phones.length === 0) return new Set();
  const phoneOf = new Map(phones.flatMap((phone) => writtenAs(phone, digest).map((written) => [written, phone])));
  const found = await rows<{ written: string }>(
    executor,
    `SELECT phone AS written FROM opted_out_numbers WHERE app_id = $1 AND phone = ANY ($2::text[])`,
    [appId, [...phoneOf.keys()]],
  );
  return new Set(found.flatMap(({ written }) => phoneOf.get(written) ?? []));
}

/** Numbers whose owners want no SMS of the application, behind the digest `after`, in order. */
export async function listOptedOutNumbers(
  executor: Executor,
  appId: string,
  { after, limit }: { after: string; limit: number },
): Promise<OptedOutNumber[]> {
  return rows<OptedOutNumber>(
    executor,
    `SELECT phone AS digest, provider, code, opted_out_at AS "optedOutAt" FROM opted_out_numbers
     WHERE app_id = $1 AND phone > $2 ORDER BY phone LIMIT $3`,
    [appId, after, limit],
  );
}

/**
 * Forgets that a number's owner wanted no SMS.
 *
 * @param named the number, or its digest
 * @returns whether it was known
 */
export async function deleteOptedOutNumber(
  executor: Executor,
  appId: string,
  named: string,
  digest: PhoneDigest,
): Promise<boolean> {
  const gone = await rows(
    executor,
    `DELETE FROM opted_out_numbers WHERE app_id = $1 AND phone = ANY ($2::text[]) RETURNING 1`,
    [appId, writtenAs(named, digest)],
  );
  return gone.length > 0;
}

/**
 * Makes digests of the numbers that versions before wrote as they are. They are few: each is somebody who told a provider to
 * stop. May run at any time, beside such a version too.
 *
 * @param appId null: of all applications
 */
export async function digestOptedOutNumbers(
  executor: Executor,
  appId: string | null,
  digest: PhoneDigest,
): Promise<void> {
  const { inner, outer } = digest.pads();
  await rows(
    executor,
    `WITH plain AS (
       DELETE FROM opted_out_numbers WHERE ($1::text IS NULL OR app_id = $1) AND phone !~ '^[0-9a-f]{64}$'
       RETURNING app_id, phone, provider, code, opted_out_at
     )
     INSERT INTO opted_out_numbers (app_id, phone, provider, code, opted_out_at)
     SELECT app_id, ${digestSql('phone', '$2', '$3')}, provider, code, opted_out_at FROM plain
     ON CONFLICT (app_id, phone) DO NOTHING`,
    [appId, inner, outer],
  );
}

/** What a number may stand as: its digests, and itself as versions before wrote it. */
function writtenAs(phone: string, digest: PhoneDigest): string[] {
  return [...digest.all(phone), phone];
}
