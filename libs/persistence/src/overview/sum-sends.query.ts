import { firstIdAt } from '@postrider/platform';
import { type Executor, rows } from '../database/executor';

/** What an application sent since a moment, and what devices said about it since then. */
export interface SendSums {
  messages: number;
  campaigns: number;
  /** Devices that those were sent to, as answered when they were accepted. */
  devices: number;
  delivered: number;
  opened: number;
}

/** Messages that devices report about long after they were sent are few: reports are looked for so far back. */
const REPORTED_MS = 3 * 86_400_000;

/**
 * Adds up what was accepted from `since` on, and the devices that reported delivery and opening from `since` on (by the
 * hour). Reads one row a message of these days: not for every page view.
 */
export async function sumSends(executor: Executor, appId: string, since: Date): Promise<SendSums> {
  const [sums] = await rows<SendSums>(
    executor,
    `SELECT accepted.*, reported.* FROM (
       SELECT count(*) FILTER (WHERE NOT is_campaign)::float8 AS messages,
         count(*) FILTER (WHERE is_campaign)::float8 AS campaigns, coalesce(sum(count), 0)::float8 AS devices
       FROM messages WHERE app_id = $1 AND id >= $2::uuid
     ) accepted CROSS JOIN (
       SELECT coalesce(sum(count) FILTER (WHERE kind = 'delivered'), 0)::float8 AS delivered,
         coalesce(sum(count) FILTER (WHERE kind = 'opened'), 0)::float8 AS opened
       FROM message_counts WHERE app_id = $1 AND message_id >= $3::uuid AND hour >= date_trunc('hour', $4::timestamptz)
         AND kind IN ('delivered', 'opened')
     ) reported`,
    [appId, firstIdAt(since), firstIdAt(new Date(since.getTime() - REPORTED_MS)), since],
  );
  return sums ?? { messages: 0, campaigns: 0, devices: 0, delivered: 0, opened: 0 };
}
