/**
 * Tells webhooks of tokens that were switched off, as a common table expression: `$1` application, and a table `off` with
 * `installation_id`, `user_id` and `push_type`.
 */
export const RECORD_REMOVED_TOKENS = `
  INSERT INTO webhook_events (app_id, webhook_id, type, data)
  SELECT w.app_id, w.webhook_id, 'token.removed', removed.data
  FROM (
    SELECT json_build_object('reason', 'the vendor says that these tokens are dead', 'count', count(*), 'tokens', json_agg(
      json_build_object('installationId', installation_id, 'userId', user_id, 'vendor', push_type))) AS data
    FROM off HAVING count(*) > 0
  ) removed
  JOIN webhooks w ON w.app_id = $1 AND w.is_enabled AND 'token.removed' = ANY (w.events)`;
