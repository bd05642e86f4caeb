import type { Channel } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';

/** A channel and how many installations joined it. */
export interface ChannelSize {
  channel: Channel;
  size: number;
}

/** Channels that somebody joined, by name, at most `limit` behind `afterName`. */
export async function listChannels(
  executor: Executor,
  appId: string,
  { afterName, limit }: { afterName: string; limit: number },
): Promise<ChannelSize[]> {
  return rows<ChannelSize>(
    executor,
    `SELECT joined.channel COLLATE "C" AS channel, count(*)::int AS size
     FROM installations i CROSS JOIN LATERAL unnest(i.channels) AS joined (channel)
     WHERE i.app_id = $1 AND i.channels <> '{}' AND joined.channel COLLATE "C" > $2
     GROUP BY 1 ORDER BY 1 LIMIT $3`,
    [appId, afterName, limit],
  );
}

/** How many installations joined a channel; null: how many there are at all. */
export async function countMembers(executor: Executor, appId: string, channel: Channel | null): Promise<number> {
  const counted = await rows<{ size: number }>(
    executor,
    `SELECT count(*)::int AS size FROM installations
     WHERE app_id = $1 ${channel === null ? '' : 'AND channels @> ARRAY[$2::text]'}`,
    channel === null ? [appId] : [appId, channel],
  );
  return counted[0]?.size ?? 0;
}

/** An installation in a list. */
export interface ChannelMember {
  deviceId: string;
  installationId: string;
  userId: string;
}

/** Installations that joined a channel (null: all there are), at most `limit` behind the number `afterDeviceId`. */
export async function listMembers(
  executor: Executor,
  appId: string,
  channel: Channel | null,
  { afterDeviceId, limit }: { afterDeviceId: string; limit: number },
): Promise<ChannelMember[]> {
  return rows<ChannelMember>(
    executor,
    `SELECT id AS "deviceId", installation_id AS "installationId", user_id AS "userId" FROM installations
     WHERE app_id = $1 AND id > $2::bigint ${channel === null ? '' : 'AND channels @> ARRAY[$4::text]'}
     ORDER BY id LIMIT $3`,
    channel === null ? [appId, afterDeviceId, limit] : [appId, afterDeviceId, limit, channel],
  );
}
