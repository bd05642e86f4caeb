/** Whose counts: one message's, or all messages' of a campaign. */
export type CountedMessages = { messageId: string } | { trackId: string };

/** A stretch of time, cut into intervals. */
export interface CountedTime {
  since: Date;
  until: Date;
  interval: 'hour' | 'day';
}

/** Values and pieces of a statement over `message_counts`: `$1` to `$4`, and its condition. */
export function countedSql(
  appId: string,
  messages: CountedMessages,
  { since, until }: Omit<CountedTime, 'interval'>,
): { values: unknown[]; condition: string } {
  const [id, which] =
    'messageId' in messages
      ? [messages.messageId, 'message_id = $2::uuid']
      : [
          messages.trackId,
          'message_id = ANY (ARRAY(SELECT m.id FROM messages m WHERE m.app_id = $1 AND m.track_id = $2))',
        ];
  return {
    values: [appId, id, since, until],
    condition: `app_id = $1 AND ${which} AND hour >= date_trunc('hour', $3::timestamptz, 'UTC') AND hour < $4`,
  };
}
