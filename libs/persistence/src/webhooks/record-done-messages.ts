/**
 * Tells webhooks of messages that are done, as a common table expression: `table` has the columns of `messages`, and only
 * rows that have just become done.
 */
export function recordDoneMessages(table: string): string {
  return `
  INSERT INTO webhook_events (app_id, webhook_id, type, data)
  SELECT w.app_id, w.webhook_id, 'message.done', json_build_object('messageId', done.id, 'kind', done.kind,
    'trackId', done.track_id, 'clientId', done.client_id, 'batchId', done.batch_id, 'count', done.count,
    'acceptedAt', done.accepted_at, 'doneAt', done.done_at)
  FROM ${table} done
  JOIN webhooks w ON w.app_id = done.app_id AND w.is_enabled AND 'message.done' = ANY (w.events)
  WHERE done.status = 'done'`;
}
