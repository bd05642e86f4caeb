/**
 * Tells webhooks of fallbacks that a provider took, as a common table expression: a table `recorded` with the fallback's
 * columns as they are now, and `is_unsent`: whether nobody knew before that it was taken.
 */
export const RECORD_SENT_FALLBACKS = `
  INSERT INTO webhook_events (app_id, webhook_id, type, data)
  SELECT w.app_id, w.webhook_id, 'fallback.sent', json_build_object('messageId', r.message_id, 'userId', r.user_id,
    'provider', r.provider, 'phone', r.phone, 'sentAt', r.sent_at)
  FROM recorded r
  JOIN webhooks w ON w.app_id = r.app_id AND w.is_enabled AND 'fallback.sent' = ANY (w.events)
  WHERE r.is_unsent AND r.sent_at IS NOT NULL`;
