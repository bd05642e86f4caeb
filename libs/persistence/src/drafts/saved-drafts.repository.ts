import { Inject, Injectable } from '@nestjs/common';
import type { JsonObject } from '@postrider/domain';
import { type Database, DATABASE, type Executor, inTransaction, rows } from '../database/executor';
import { hasInName, parameter, sql } from '../sql';

/** A draft without its message. */
export interface DraftSummary {
  draftId: string;
  name: string;
  revision: number;
  createdAt: Date;
  updatedAt: Date;
  /** The name of the access token that saved it last. Null: an operator. */
  updatedBy: string | null;
}

/** A message that is being written. */
export interface SavedDraft extends DraftSummary {
  message: JsonObject;
}

/** What is saved, and who saves it. */
export interface DraftSave {
  draftId: string;
  name: string;
  message: JsonObject;
  at: Date;
  /** Null: an operator. */
  tokenId: string | null;
  /** Of a draft from another installation; absent: it is new. */
  from?: { revision: number; createdAt: Date };
}

/** A draft that a send was made from. */
export interface SentDraft {
  draftId: string;
  /** Undefined: any revision. */
  revision?: number | undefined;
}

/** The select list that gives a `DraftSummary`, for drafts `d` and tokens `t`. */
const SUMMARY = sql`d.draft_id AS "draftId", d.name, d.revision, d.created_at AS "createdAt", d.updated_at AS "updatedAt",
  t.name AS "updatedBy"`;

/** The messages that people are writing. */
@Injectable()
export class SavedDraftsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Inserts a draft. It locks the row of the application, so that inserts at the same time wait for each other and
   * there are never more than `most` drafts.
   *
   * @returns false if the application has `most` drafts already
   * @throws a unique violation if it has one with that id, also if it has `most`
   */
  async insert(
    appId: string,
    { name, message, at, tokenId, from, ...save }: DraftSave,
    most: number,
  ): Promise<boolean> {
    const app = parameter(appId);
    const draftId = parameter(save.draftId, 'uuid');
    return inTransaction(this.database, async (executor) => {
      await rows(executor, sql`SELECT 1 FROM applications WHERE app_id = ${app} FOR NO KEY UPDATE`);
      const made = await rows(
        executor,
        sql`INSERT INTO drafts (app_id, draft_id, name, message, revision, created_at, updated_at, updated_by)
            SELECT ${app}, ${draftId}, ${name}, ${JSON.stringify(message)}::jsonb, ${from?.revision ?? 1}::integer,
              ${from?.createdAt ?? at}::timestamptz, ${at}::timestamptz, ${tokenId}::uuid
            WHERE (SELECT count(*) FROM drafts WHERE app_id = ${app}) < ${most}::int
              OR EXISTS (SELECT FROM drafts WHERE app_id = ${app} AND draft_id = ${draftId})
            RETURNING 1`,
      );
      return made.length > 0;
    });
  }

  /**
   * Saves a draft if it still has the given revision.
   *
   * @returns the draft as it was saved; null if it has another revision by now, or is gone
   */
  async update(
    appId: string,
    { draftId, name, message, at, tokenId }: DraftSave,
    revision: number,
  ): Promise<SavedDraft | null> {
    const [saved] = await rows<SavedDraft>(
      this.database,
      sql`WITH d AS (
            UPDATE drafts SET name = ${name}, message = ${JSON.stringify(message)}::jsonb, revision = revision + 1,
              updated_at = ${at}, updated_by = ${tokenId}::uuid
            WHERE app_id = ${appId} AND draft_id = ${draftId} AND revision = ${revision} RETURNING *
          )
          SELECT ${SUMMARY}, d.message FROM d LEFT JOIN tokens t ON t.app_id = d.app_id AND t.token_id = d.updated_by`,
    );
    return saved ?? null;
  }

  /** Deletes a draft. With a revision, only if the draft still has it. @returns false if nothing was deleted */
  async delete(appId: string, draft: SentDraft): Promise<boolean> {
    return this.clear(this.database, appId, draft);
  }

  /**
   * Like `delete`, in the transaction that sends the message: the draft is deleted exactly if the message is accepted.
   */
  async clear(executor: Executor, appId: string, { draftId, revision }: SentDraft): Promise<boolean> {
    const gone = await rows(
      executor,
      sql`DELETE FROM drafts
          WHERE app_id = ${appId} AND draft_id = ${draftId}::uuid
            AND revision = coalesce(${revision ?? null}::integer, revision) RETURNING 1`,
    );
    return gone.length > 0;
  }

  /** The draft with this id, or null. @param executor the transaction that the caller is in */
  async find(appId: string, draftId: string, executor: Executor = this.database): Promise<SavedDraft | null> {
    const [found] = await rows<SavedDraft>(
      executor,
      sql`SELECT ${SUMMARY}, d.message FROM drafts d LEFT JOIN tokens t ON t.app_id = d.app_id AND t.token_id = d.updated_by
          WHERE d.app_id = ${appId} AND d.draft_id = ${draftId}::uuid`,
    );
    return found ?? null;
  }

  /**
   * Lists an application's drafts, the last saved first, at most `limit` behind `after`. Null: from the beginning.
   *
   * @param page.name only those with this text in their name
   */
  async list(
    appId: string,
    page: { name?: string | undefined; after: { updatedAt: Date; draftId: string } | null; limit: number },
  ): Promise<DraftSummary[]> {
    const { name, after, limit } = page;
    const behind =
      after === null ? sql`true` : sql`(d.updated_at, d.draft_id) < (${after.updatedAt}, ${after.draftId}::uuid)`;
    return rows<DraftSummary>(
      this.database,
      sql`SELECT ${SUMMARY} FROM drafts d LEFT JOIN tokens t ON t.app_id = d.app_id AND t.token_id = d.updated_by
          WHERE d.app_id = ${appId} AND ${behind} AND ${hasInName(sql`d.name`, name)}
          ORDER BY d.updated_at DESC, d.draft_id DESC LIMIT ${limit}`,
    );
  }
}
