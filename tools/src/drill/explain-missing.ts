import { Client } from 'pg';
import type { Sent } from './tally';

/** What happened to messages, and to how many of them. */
interface Fate {
  messages: number;
  /** Such as `delivery failed: INVALID_ARGUMENT …`, or `page waiting`. */
  fate: string;
}

/**
 * Looks up what PostgreSQL says of messages that the vendor never got, those with the most in common first.
 *
 * @param databaseUrl where the messages are
 */
export async function explainMissing(databaseUrl: string, missing: readonly Sent[]): Promise<Fate[]> {
  if (missing.length === 0) return [];
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<Fate>(
      `SELECT count(*)::integer AS messages, CASE
         WHEN m.id IS NULL THEN 'no message'
         WHEN d.state IS NOT NULL THEN concat_ws(' ', 'delivery', d.state, d.error_code, d.reason)
         WHEN k.id IS NOT NULL THEN 'delivery sent, in a pack'
         WHEN p.state IS NOT NULL THEN 'page ' || p.state
         ELSE 'message ' || m.status || ', neither page nor delivery' END AS fate
       FROM unnest($1::text[], $2::text[]) AS missing (text, token)
       LEFT JOIN installations i ON i.token = missing.token
       LEFT JOIN messages m ON m.content ->> 'content' = missing.text
       LEFT JOIN deliveries d ON d.app_id = m.app_id AND d.message_id = m.id AND d.device_id = i.id
       LEFT JOIN delivery_packs k ON k.app_id = m.app_id AND k.message_id = m.id AND i.id = ANY (k.device_ids)
       LEFT JOIN LATERAL (
         SELECT state FROM pages WHERE app_id = m.app_id AND message_id = m.id AND i.id = ANY (device_ids)
         ORDER BY attempt DESC LIMIT 1
       ) p ON true
       GROUP BY 2 ORDER BY 1 DESC LIMIT 10`,
      [missing.map(({ text }) => text), missing.map(({ token }) => token)],
    );
    return rows;
  } finally {
    await client.end();
  }
}
