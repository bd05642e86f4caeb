import { type Executor, rows } from '../database/executor';

/** The links that a message of alias `m` holds, in whatever language and variant. */
export const MESSAGE_LINKS = `(
  jsonb_path_query_array(m.content, '$.**.notification.clickUrl')
  || jsonb_path_query_array(m.content, '$.**.notification.actions[*].url'))`;

/** The links that a message holds, templates as they are; of an unknown one none. */
export async function findMessageLinks(executor: Executor, appId: string, messageId: string): Promise<string[]> {
  const [found] = await rows<{ links: unknown[] }>(
    executor,
    `SELECT ${MESSAGE_LINKS} AS links FROM messages m WHERE m.app_id = $1 AND m.id = $2`,
    [appId, messageId],
  );
  return (found?.links ?? []).filter((link) => typeof link === 'string');
}
