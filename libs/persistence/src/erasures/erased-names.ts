import { parameter, sql, type Sql } from '../sql';
import { nameKey } from '../statistics/message-count-key';

/** What links and actions are counted under whose own names told of an erased user. */
const ERASED_NAME = '(erased)';

/** A pattern that every text matches. */
export const ANY_TEXT = '';

/**
 * A regular expression of PostgreSQL that finds one of `texts`, as it is or as a URL holds it, where it is not part of a longer
 * word or number.
 */
export function patternOf(texts: readonly string[]): string {
  const written = texts.flatMap((text) => [text, encodeURIComponent(Buffer.from(text).toString())]);
  const literal = [...new Set(written)].map((text) => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&'));
  return `(?:^|[^[:alnum:]])(?:${literal.join('|')})(?:$|[^[:alnum:]])`;
}

/**
 * Counts the links and actions of these messages whose names match `pattern` under `(erased)`, so that the sums stay. A name
 * that the message itself holds, the same for all it is for, tells of nobody: it stays, unless the message is for this user alone.
 */
export function eraseNamesStatement(
  { appId: app, userId, pattern }: { appId: string; userId: string; pattern: string },
  messageIds: readonly string[],
): Sql {
  const [appId, ids, nameKeyOfErased] = [parameter(app), parameter(messageIds), parameter(nameKey(ERASED_NAME))];
  return sql`
  WITH gone AS (
    DELETE FROM message_counts c USING messages m
    WHERE c.app_id = ${appId} AND c.message_id = ANY (${ids}::uuid[]) AND c.kind IN ('action', 'link', 'click')
      AND m.app_id = ${appId} AND m.id = ANY (${ids}::uuid[]) AND m.id = c.message_id AND c.name ~ ${pattern} AND c.name_key <> ${nameKeyOfErased}
      AND (m.user_ids = ARRAY[${userId}::text] OR strpos(m.content::text, btrim(to_json(c.name)::text, '"')) = 0)
    RETURNING c.app_id, c.message_id, c.kind, c.hour, c.platform, c.count, c.amount
  )
  INSERT INTO message_counts AS m (app_id, message_id, kind, name_key, hour, platform, name, count, amount)
  SELECT app_id, message_id, kind, ${nameKeyOfErased}::bytea, hour, platform, ${ERASED_NAME}::text, sum(count)::bigint, sum(amount) FROM gone
  GROUP BY app_id, message_id, kind, hour, platform
  ON CONFLICT (app_id, message_id, kind, name_key, hour, platform) DO UPDATE
  SET count = m.count + excluded.count, amount = m.amount + excluded.amount`;
}
