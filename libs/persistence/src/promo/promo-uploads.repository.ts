import { Inject, Injectable } from '@nestjs/common';
import { DATABASE, type Database, inTransaction, rows } from '../database/executor';
import { parameter, sql } from '../sql';
import type { PromoSetKey } from './promo-set';

/** Files of promo codes during their upload. Their content is not read here. */
@Injectable()
export class PromoUploadsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** True if a campaign is known: a message with its `trackId` was accepted, it was created, or it has a set. */
  async isKnownCampaign(appId: string, trackId: string): Promise<boolean> {
    const [app, track] = [parameter(appId), parameter(trackId)];
    const found = await rows(
      this.database,
      sql`SELECT 1 WHERE EXISTS (SELECT 1 FROM campaigns WHERE app_id = ${app} AND track_id = ${track})
            OR EXISTS (SELECT 1 FROM messages WHERE app_id = ${app} AND track_id = ${track})
            OR EXISTS (SELECT 1 FROM promo_sets WHERE app_id = ${app} AND track_id = ${track})`,
    );
    return found.length > 0;
  }

  /**
   * Begins an upload. It locks the row of the application, so that uploads that begin at the same time count each other.
   *
   * @param most how many unfinished uploads an application may have
   * @param giveUpAt when it counts as cut off, unless it is renewed or complete by then
   * @returns false if the application has too many
   */
  async begin(
    { appId, setId }: PromoSetKey,
    { trackId, createdAt, giveUpAt, most }: { trackId: string; createdAt: Date; giveUpAt: Date; most: number },
  ): Promise<boolean> {
    const app = parameter(appId);
    return inTransaction(this.database, async (executor) => {
      await rows(executor, sql`SELECT 1 FROM applications WHERE app_id = ${app} FOR NO KEY UPDATE`);
      const inserted = await rows(
        executor,
        sql`INSERT INTO promo_sets (app_id, set_id, track_id, created_at, wake_at)
            SELECT ${app}, ${setId}, ${trackId}, ${createdAt}, ${giveUpAt}
            WHERE (SELECT count(*) FROM promo_sets WHERE app_id = ${app} AND state IN ('uploading', 'importing')) < ${most}::int
            RETURNING 1`,
      );
      return inserted.length > 0;
    });
  }

  /** Stores one piece of an upload. @returns false if the upload was given up meanwhile */
  async keepPiece(
    { appId, setId }: PromoSetKey,
    { number, content }: { number: number; content: Buffer },
  ): Promise<boolean> {
    const [app, id, piece] = [parameter(appId), parameter(setId), parameter(content, 'bytea')];
    const inserted = await rows(
      this.database,
      sql`WITH alive AS (
            UPDATE promo_sets SET bytes = bytes + octet_length(${piece})
            WHERE app_id = ${app} AND set_id = ${id} AND state = 'uploading' RETURNING 1
          )
          INSERT INTO promo_chunks (app_id, set_id, number, content)
          SELECT ${app}, ${id}, ${number}::int, ${piece} FROM alive RETURNING 1`,
    );
    return inserted.length > 0;
  }

  /** Says that an upload still arrives. @param giveUpAt see `begin` @returns false if it was given up meanwhile */
  async renew({ appId, setId }: PromoSetKey, giveUpAt: Date): Promise<boolean> {
    const renewed = await rows(
      this.database,
      sql`UPDATE promo_sets SET wake_at = ${giveUpAt}
          WHERE app_id = ${appId} AND set_id = ${setId} AND state = 'uploading' RETURNING 1`,
    );
    return renewed.length > 0;
  }

  /** Marks the file as complete, so that it may be imported. @returns false if it was given up meanwhile */
  async startImport({ appId, setId }: PromoSetKey, wakeAt: Date): Promise<boolean> {
    const started = await rows(
      this.database,
      sql`UPDATE promo_sets SET state = 'importing', wake_at = ${wakeAt}
          WHERE app_id = ${appId} AND set_id = ${setId} AND state = 'uploading' RETURNING 1`,
    );
    return started.length > 0;
  }

  /** Fails an upload that was not renewed in time. @returns false if it was renewed, completed or ended meanwhile */
  async giveUp({ appId, setId }: PromoSetKey, { reason, now }: { reason: string; now: Date }): Promise<boolean> {
    const moment = parameter(now);
    const given = await rows(
      this.database,
      sql`UPDATE promo_sets SET state = 'failed', failure = 'service', reason = ${reason}, ended_at = ${moment}
          WHERE app_id = ${appId} AND set_id = ${setId} AND state = 'uploading' AND wake_at <= ${moment} RETURNING 1`,
    );
    return given.length > 0;
  }

  /** Deletes a set with everything that belongs to it, as if it had never come. A set in force stays. */
  async delete({ appId, setId }: PromoSetKey): Promise<void> {
    await rows(
      this.database,
      sql`DELETE FROM promo_sets WHERE app_id = ${appId} AND set_id = ${setId} AND state <> 'in_force'`,
    );
  }
}
