import type { JsonObject, JsonValue } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import { parameter, sql } from '../sql';
import { barePatternOf } from './erase-messages.statement';

/** How many drafts are read at a time. Each may be large. */
const DRAFTS_AT_ONCE = 20;

interface FoundDraft {
  draftId: string;
  revision: number;
  name: string;
  message: JsonObject;
  /** The texts in it that name the user, and their replacements. */
  changes: { from: string; to: string }[];
}

/**
 * Removes a user from the texts of drafts. Other text does not change. A draft that is saved at the same moment is read
 * again.
 *
 * @param pattern a pattern of `patternOf`
 */
export async function eraseFromDrafts(executor: Executor, appId: string, pattern: string): Promise<void> {
  for (;;) {
    const found = await findDrafts(executor, appId, pattern);
    for (const draft of found) {
      const changes = new Map(draft.changes.map(({ from, to }) => [from, to]));
      await rows(
        executor,
        sql`UPDATE drafts SET message = ${JSON.stringify(withTexts(draft.message, changes))}::jsonb,
              name = ${changes.get(draft.name) ?? draft.name}, revision = revision + 1
            WHERE app_id = ${appId} AND draft_id = ${draft.draftId} AND revision = ${draft.revision}`,
      );
    }
    if (found.length === 0) return;
  }
}

async function findDrafts(executor: Executor, app: string, pattern: string): Promise<FoundDraft[]> {
  const [appId, mention, bare] = [parameter(app), parameter(pattern), parameter(barePatternOf(pattern))];
  return rows<FoundDraft>(
    executor,
    sql`SELECT d.draft_id AS "draftId", d.revision, d.name, d.message, texts.changes
        FROM drafts d CROSS JOIN LATERAL (
          SELECT json_agg(json_build_object('from', text, 'to', CASE
            WHEN regexp_replace(text, ${bare}, '', 'g') ~ ${mention} THEN '' ELSE regexp_replace(text, ${bare}, '', 'g') END)) AS changes
          FROM (
            SELECT d.name AS text UNION
            SELECT value #>> '{}' FROM jsonb_path_query(d.message, '$.**') value WHERE jsonb_typeof(value) = 'string'
          ) every WHERE text ~ ${mention}
        ) texts
        WHERE d.app_id = ${appId} AND texts.changes IS NOT NULL LIMIT ${DRAFTS_AT_ONCE}`,
  );
}

function withTexts(value: JsonValue, changes: ReadonlyMap<string, string>): JsonValue {
  if (typeof value === 'string') return changes.get(value) ?? value;
  if (Array.isArray(value)) return value.map((element) => withTexts(element, changes));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withTexts(member, changes)]));
}
