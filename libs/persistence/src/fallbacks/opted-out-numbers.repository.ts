import { Inject, Injectable } from '@nestjs/common';
import type { PhoneDigest } from '@postrider/platform';
import { DATABASE, type Database, type Executor, rows } from '../database/executor';
import { parameter, type Sql, sql } from '../sql';
import { PhoneKeys } from './phone-keys.service';

/** A number whose owner wants no SMS. */
interface OptedOutNumber {
  /** Its digest. */
  digest: string;
  provider: string;
  code: string;
  optedOutAt: Date;
}

/**
 * Numbers whose owners told a provider that they want no SMS, stored as digests. Methods that take a number throw
 * `UnopenedSeal` if a key of the digests does not open: then nobody knows who opted out.
 */
@Injectable()
export class OptedOutNumbersRepository {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly phoneKeys: PhoneKeys,
  ) {}

  /** Finds those of `phones` whose owners want no SMS of the application. */
  async find(executor: Executor, appId: string, phones: readonly string[]): Promise<Set<string>> {
    if (phones.length === 0) return new Set();
    const digest = await this.phoneKeys.digest();
    const phoneOf = new Map(phones.flatMap((phone) => writtenAs(phone, digest).map((written) => [written, phone])));
    const found = await rows<{ written: string }>(
      executor,
      sql`SELECT phone AS written FROM opted_out_numbers
          WHERE app_id = ${appId} AND phone = ANY (${[...phoneOf.keys()]}::text[])`,
    );
    return new Set(found.flatMap(({ written }) => phoneOf.get(written) ?? []));
  }

  /**
   * Lists numbers whose owners want no SMS of the application, in the order of their digests, behind the digest
   * `after`.
   */
  async list(appId: string, { after, limit }: { after: string; limit: number }): Promise<OptedOutNumber[]> {
    return rows<OptedOutNumber>(
      this.database,
      sql`SELECT phone AS digest, provider, code, opted_out_at AS "optedOutAt" FROM opted_out_numbers
          WHERE app_id = ${appId} AND phone > ${after} ORDER BY phone LIMIT ${limit}`,
    );
  }

  /**
   * Deletes the opt-out of a number.
   *
   * @param named the number, or its digest
   * @returns true if it existed
   */
  async delete(appId: string, named: string): Promise<boolean> {
    const digest = await this.phoneKeys.digest();
    const gone = await rows(
      this.database,
      sql`DELETE FROM opted_out_numbers
          WHERE app_id = ${appId} AND phone = ANY (${writtenAs(named, digest)}::text[]) RETURNING 1`,
    );
    return gone.length > 0;
  }

  /**
   * Replaces numbers that earlier versions stored in plain text by digests. They are few: each belongs to somebody who
   * told a provider to stop. May run at any time, also beside such a version.
   *
   * @param appId null: all applications
   */
  async digest(appId: string | null): Promise<void> {
    const digest = await this.phoneKeys.digest();
    const app = parameter(appId);
    await rows(
      this.database,
      sql`WITH plain AS (
            DELETE FROM opted_out_numbers WHERE (${app}::text IS NULL OR app_id = ${app}) AND phone !~ '^[0-9a-f]{64}$'
            RETURNING app_id, phone, provider, code, opted_out_at
          )
          INSERT INTO opted_out_numbers (app_id, phone, provider, code, opted_out_at)
          SELECT app_id, ${digestOf(sql`phone`, digest)}, provider, code, opted_out_at FROM plain
          ON CONFLICT (app_id, phone) DO NOTHING`,
    );
  }
}

/** The digest of `phone`, as `PhoneDigest` makes it. */
function digestOf(phone: Sql, digest: PhoneDigest): Sql {
  const { inner, outer } = digest.pads();
  return sql`encode(sha256(${outer}::bytea || sha256(${inner}::bytea || convert_to(${phone}, 'UTF8'))), 'hex')`;
}

/**
 * Stores the numbers of fallbacks whose owners, according to the provider, told it to stop, as a common table
 * expression. The number itself is not stored. Twilio: error 21610; Kavenegar: status 14 (blocked by its owner).
 *
 * @param recorded a table with the columns of fallbacks
 */
export function insertOptOuts(recorded: Sql, digest: PhoneDigest): Sql {
  return sql`
    INSERT INTO opted_out_numbers (app_id, phone, provider, code, opted_out_at)
    SELECT app_id, ${digestOf(sql`phone`, digest)}, provider, error_code, updated_at FROM ${recorded}
    WHERE phone IS NOT NULL AND state IN ('failed', 'undelivered')
      AND (provider, error_code) IN (('twilio', '21610'), ('kavenegar', '14'))
    ON CONFLICT (app_id, phone) DO NOTHING`;
}

/** The forms in which a number may be stored: its digests, and the plain number as earlier versions wrote it. */
function writtenAs(phone: string, digest: PhoneDigest): string[] {
  return [...digest.all(phone), phone];
}
