import { Inject, Injectable } from '@nestjs/common';
import { type Database, DATABASE, rows } from '../database/executor';
import { INTERRUPTED_REMOVALS } from '../due-work/due-rows';
import { parameter, sql } from '../sql';
import { deleteSomeRows, type TableOfApplication } from './tables-of-application';

/** A removal of an application that this process carries out. */
export interface Removal {
  appId: string;
  removalId: string;
}

/** Longer than a statement may take, so that nobody takes over a removal whose process waits for one. */
const HELD_FOR = sql`interval '90 seconds'`;

/** The removals of applications: which have begun, and which process carries them out. */
@Injectable()
export class RemovalsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Begins to remove an application, or leaves it as it is if that has begun already: its access tokens are revoked, and its
   * vendor credentials are deleted.
   *
   * @returns false if there is no such application
   */
  async begin(app: string, now: Date): Promise<boolean> {
    const [appId, at] = [parameter(app), parameter(now, 'timestamptz')];
    const begun = await rows(
      this.database,
      sql`WITH begun AS (
            UPDATE applications SET removal_began_at = coalesce(removal_began_at, ${at}),
              removal_until = coalesce(removal_until, '-infinity') WHERE app_id = ${appId} RETURNING 1
          ),
          revoked AS (UPDATE tokens SET revoked_at = ${at} WHERE app_id = ${appId} AND revoked_at IS NULL),
          forgotten AS (DELETE FROM vendor_credentials WHERE app_id = ${appId})
          SELECT FROM begun`,
    );
    return begun.length > 0;
  }

  /** Tells whether the application is being removed. False: it is not, or no longer exists. */
  async isUnderWay(appId: string): Promise<boolean> {
    const found = await rows(
      this.database,
      sql`SELECT FROM applications WHERE app_id = ${appId} AND removal_began_at IS NOT NULL`,
    );
    return found.length > 0;
  }

  /**
   * Takes a removal that has begun and that no process carries out: nobody did so yet, the process gave it back, or it has not
   * said for a while that it lives.
   *
   * @param of the application; null: the one that waits longest, so that one that always fails does not hold up others
   * @returns null if there is none
   */
  async take(of: string | null, removalId: string): Promise<Removal | null> {
    const [taken] = await rows<Removal>(
      this.database,
      sql`UPDATE applications SET removal_id = ${removalId}::uuid, removal_until = clock_timestamp() + ${HELD_FOR}
          WHERE app_id = (
            SELECT app_id ${INTERRUPTED_REMOVALS} AND app_id = coalesce(${of}::text, app_id)
            ORDER BY removal_until, removal_began_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
          )
          RETURNING app_id AS "appId", removal_id AS "removalId"`,
    );
    return taken ?? null;
  }

  /** Says that the removal is still carried out. @returns false if another process does that now, or has ended it */
  async hold({ appId, removalId }: Removal): Promise<boolean> {
    const held = await rows(
      this.database,
      sql`UPDATE applications SET removal_until = clock_timestamp() + ${HELD_FOR}
          WHERE app_id = ${appId} AND removal_id = ${removalId}::uuid RETURNING 1`,
    );
    return held.length > 0;
  }

  /** Lets another process continue at once, after removals that have waited longer. */
  async giveBack({ appId, removalId }: Removal): Promise<void> {
    await rows(
      this.database,
      sql`UPDATE applications SET removal_until = clock_timestamp() WHERE app_id = ${appId} AND removal_id = ${removalId}::uuid`,
    );
  }

  /**
   * Deletes up to `limit` rows of an application from one table, in one small transaction.
   *
   * @returns the number of deleted rows; fewer than `limit` means that none is left
   */
  async deleteRows(appId: string, table: TableOfApplication, limit: number): Promise<number> {
    const [deleted] = await rows<{ gone: string }>(this.database, deleteSomeRows({ appId, table, limit }));
    return Number(deleted?.gone ?? 0);
  }

  /** Deletes the row of the application, and with it everything that refers to it, if the removal is still this one. */
  async finish({ appId, removalId }: Removal): Promise<void> {
    await rows(
      this.database,
      sql`DELETE FROM applications WHERE app_id = ${appId} AND removal_id = ${removalId}::uuid`,
    );
  }
}
