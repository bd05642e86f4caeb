import { Inject, Injectable } from '@nestjs/common';
import type { JsonObject, JsonValue } from '@postrider/domain';
import { type Database, DATABASE, type Executor, inTransaction, rows } from '../database/executor';
import { hasInName, parameter, sql } from '../sql';

/** A template without its content. */
export interface TemplateSummary {
  templateId: string;
  name: string;
  description: string | null;
  version: number;
  createdAt: Date;
  /** When its version was made. */
  updatedAt: Date;
  /** The name of the access token that made the version. Null: an operator. */
  updatedBy: string | null;
}

/** A variable that a template expects from a send. */
interface ExpectedVariable {
  name: string;
  /** True if a send without it is refused. */
  required: boolean;
  /** The value of a send that has none. */
  default?: JsonValue;
  /** What it is, for people who send. */
  description?: string;
}

/** The content of a template at one version. */
interface TemplateContent {
  message: JsonObject;
  variables: readonly ExpectedVariable[];
}

/** A template at one version. */
export type SavedTemplate = TemplateSummary & TemplateContent;

/** What is saved, and who saves it. */
export interface TemplateSave extends TemplateContent {
  templateId: string;
  name: string;
  description: string | null;
  at: Date;
  /** Null: an operator. */
  tokenId: string | null;
  /** Of a template from another installation; absent: it is new. `at` is the time of its version. */
  from?: { version: number; createdAt: Date };
}

/** A version of a template, with its content. */
type TemplateVersion = TemplateContent & { version: number; createdAt: Date };

/** The select list that gives a `TemplateSummary`, for templates `t`, versions `v` and tokens `k`. */
const SUMMARY = sql`t.template_id AS "templateId", t.name, t.description, v.version, t.created_at AS "createdAt",
  v.created_at AS "updatedAt", k.name AS "updatedBy"`;

/** The content that applications save under names. */
@Injectable()
export class SavedTemplatesRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Inserts a template, with its version 1 or that of `save.from`. It locks the row of the application, so that inserts at the same time wait
   * for each other and there are never more than `most` templates.
   *
   * @returns false if the application has `most` templates already
   * @throws a unique violation if it has one with that name or id, also if it has `most`
   */
  async insert(appId: string, save: TemplateSave, most: number): Promise<boolean> {
    const app = parameter(appId);
    return inTransaction(this.database, async (executor) => {
      await rows(executor, sql`SELECT 1 FROM applications WHERE app_id = ${app} FOR NO KEY UPDATE`);
      const made = await rows(
        executor,
        sql`INSERT INTO templates (app_id, template_id, name, description, version, created_at)
            SELECT ${app}, ${save.templateId}::uuid, ${save.name}, ${save.description}, ${save.from?.version ?? 1}::integer,
              ${save.from?.createdAt ?? save.at}::timestamptz
            WHERE (SELECT count(*) FROM templates WHERE app_id = ${app}) < ${most}::int OR EXISTS (
              SELECT FROM templates WHERE app_id = ${app} AND (name = ${save.name} OR template_id = ${save.templateId}::uuid)
            ) RETURNING 1`,
      );
      if (made.length > 0) await addVersion(executor, appId, save, save.from?.version ?? 1);
      return made.length > 0;
    });
  }

  /**
   * Makes a new version. The newest `kept` versions stay.
   *
   * @param version the version that it is based on; undefined: the newest
   * @returns the number of the new version; null if there is a newer one by now, or no such template
   * @throws a unique violation if another template has the name
   */
  async update(
    appId: string,
    save: TemplateSave,
    { version, kept }: { version: number | undefined; kept: number },
  ): Promise<number | null> {
    return inTransaction(this.database, async (executor) => {
      const [changed] = await rows<{ version: number }>(
        executor,
        sql`UPDATE templates SET name = ${save.name}, description = ${save.description}, version = version + 1
            WHERE app_id = ${appId} AND template_id = ${save.templateId}::uuid
              AND version = coalesce(${version ?? null}::integer, version) RETURNING version`,
      );
      if (changed === undefined) return null;
      await addVersion(executor, appId, save, changed.version);
      await rows(
        executor,
        sql`DELETE FROM template_versions
            WHERE app_id = ${appId} AND template_id = ${save.templateId}::uuid AND version <= ${changed.version - kept}`,
      );
      return changed.version;
    });
  }

  /** Reads up to `limit` versions of a template before the version `before`, with their content, the newest first. */
  async readVersions(appId: string, templateId: string, before: number, limit: number): Promise<TemplateVersion[]> {
    return rows<TemplateVersion>(
      this.database,
      sql`SELECT version, message, variables, created_at AS "createdAt" FROM template_versions
          WHERE app_id = ${appId} AND template_id = ${templateId}::uuid AND version < ${before}
          ORDER BY version DESC LIMIT ${limit}`,
    );
  }

  /**
   * Adds a former version to a template. The newest version, and a version that is there, do not change.
   *
   * @returns false if the template is unknown, has that version, or has none that is newer
   */
  async addFormerVersion(appId: string, templateId: string, former: TemplateVersion): Promise<boolean> {
    const made = await rows(
      this.database,
      sql`INSERT INTO template_versions (app_id, template_id, version, message, variables, created_at)
          SELECT t.app_id, t.template_id, ${former.version}::integer, ${JSON.stringify(former.message)}::jsonb,
            ${JSON.stringify(former.variables)}::jsonb, ${former.createdAt}::timestamptz
          FROM templates t
          WHERE t.app_id = ${appId} AND t.template_id = ${templateId}::uuid AND t.version > ${former.version}::integer
          ON CONFLICT DO NOTHING RETURNING 1`,
    );
    return made.length > 0;
  }

  /**
   * Deletes a template with its versions. Messages that were sent with it keep its content. @returns false if it did
   * not exist
   */
  async delete(appId: string, templateId: string): Promise<boolean> {
    const gone = await rows(
      this.database,
      sql`DELETE FROM templates WHERE app_id = ${appId} AND template_id = ${templateId}::uuid RETURNING 1`,
    );
    return gone.length > 0;
  }

  /** A template at one version, or at its newest; null when there is no such template or version. */
  async find(appId: string, templateId: string, version?: number): Promise<SavedTemplate | null> {
    const [found] = await rows<SavedTemplate>(
      this.database,
      sql`SELECT ${SUMMARY}, v.message, v.variables FROM templates t
          JOIN template_versions v ON v.app_id = t.app_id AND v.template_id = t.template_id
            AND v.version = coalesce(${version ?? null}::integer, t.version)
          LEFT JOIN tokens k ON k.app_id = v.app_id AND k.token_id = v.created_by
          WHERE t.app_id = ${appId} AND t.template_id = ${templateId}::uuid`,
    );
    return found ?? null;
  }

  /**
   * An application's templates at their newest versions, the newest first, at most `limit` before `beforeId`.
   *
   * @param page.name only those with this text in their name
   */
  async list(
    appId: string,
    page: { name?: string | undefined; beforeId: string | null; limit: number },
  ): Promise<TemplateSummary[]> {
    const beforeId = parameter(page.beforeId, 'uuid');
    return rows<TemplateSummary>(
      this.database,
      sql`SELECT ${SUMMARY} FROM templates t
          JOIN template_versions v ON v.app_id = t.app_id AND v.template_id = t.template_id AND v.version = t.version
          LEFT JOIN tokens k ON k.app_id = v.app_id AND k.token_id = v.created_by
          WHERE t.app_id = ${appId} AND (${beforeId} IS NULL OR t.template_id < ${beforeId})
            AND ${hasInName(sql`t.name`, page.name)}
          ORDER BY t.template_id DESC LIMIT ${page.limit}`,
    );
  }

  /** The versions of a template, the newest first, at most `limit` before the version `before`. */
  async listVersions(
    appId: string,
    templateId: string,
    { before, limit }: { before: number | null; limit: number },
  ): Promise<TemplateSummary[]> {
    return rows<TemplateSummary>(
      this.database,
      sql`SELECT ${SUMMARY} FROM templates t
          JOIN template_versions v ON v.app_id = t.app_id AND v.template_id = t.template_id
          LEFT JOIN tokens k ON k.app_id = v.app_id AND k.token_id = v.created_by
          WHERE t.app_id = ${appId} AND t.template_id = ${templateId}::uuid
            AND v.version < coalesce(${before}::integer, 2147483647)
          ORDER BY v.version DESC LIMIT ${limit}`,
    );
  }
}

async function addVersion(
  executor: Executor,
  appId: string,
  { templateId, message, variables, at, tokenId }: TemplateSave,
  version: number,
): Promise<void> {
  await rows(
    executor,
    sql`INSERT INTO template_versions (app_id, template_id, version, message, variables, created_at, created_by)
        VALUES (${appId}, ${templateId}::uuid, ${version}, ${JSON.stringify(message)}::jsonb,
          ${JSON.stringify(variables)}::jsonb, ${at}::timestamptz, ${tokenId}::uuid)`,
  );
}
