import { Inject, Injectable } from '@nestjs/common';
import type { DeviceId, Channel } from '@postrider/domain';
import { type Database, DATABASE, type Executor, rows } from '../database/executor';
import { inRetriedTransaction } from '../database/retried-transaction';
import { type Parameter, parameter, sql, type Sql } from '../sql';

/** A channel and how many installations joined it. */
export interface ChannelSize {
  channel: Channel;
  size: number;
}

/** An installation in a list. */
interface ChannelMember {
  deviceId: DeviceId;
  installationId: string;
  userId: string;
}

/** Who joins or leaves a channel: all installations of some users, and single installations by id. */
export interface NamedMembers {
  users: readonly string[];
  installationIds: readonly string[];
}

/** Which installations joined which channels. A channel exists while it has a member. */
@Injectable()
export class ChannelsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Lists channels with members by name, at most `limit` behind `afterName`. Reads every installation that has
   * channels.
   */
  async list(appId: string, { afterName, limit }: { afterName: string; limit: number }): Promise<ChannelSize[]> {
    return rows<ChannelSize>(
      this.database,
      sql`SELECT joined.channel COLLATE "C" AS channel, count(*)::int AS size
          FROM installations i CROSS JOIN LATERAL unnest(i.channels) AS joined (channel)
          WHERE i.app_id = ${appId} AND i.channels <> '{}' AND joined.channel COLLATE "C" > ${afterName}
          GROUP BY 1 ORDER BY 1 LIMIT ${limit}`,
    );
  }

  /** Counts the installations that joined a channel. Null: counts all installations. */
  async countMembers(appId: string, channel: Channel | null): Promise<number> {
    return countOf(
      this.database,
      sql`SELECT count(*)::int AS count FROM installations WHERE app_id = ${appId} ${andJoined(channel)}`,
    );
  }

  /**
   * Lists installations that joined a channel (null: all installations), at most `limit` behind the number
   * `afterDeviceId`.
   */
  async listMembers(
    appId: string,
    channel: Channel | null,
    { afterDeviceId, limit }: { afterDeviceId: DeviceId; limit: number },
  ): Promise<ChannelMember[]> {
    return rows<ChannelMember>(
      this.database,
      sql`SELECT id AS "deviceId", installation_id AS "installationId", user_id AS "userId" FROM installations
          WHERE app_id = ${appId} AND id > ${afterDeviceId}::bigint ${andJoined(channel)}
          ORDER BY id LIMIT ${limit}`,
    );
  }

  /**
   * Makes installations members of a channel. Those that are members already are locked too: a registration may be about
   * to end that. Runs again if it collides with another change. Safe to repeat.
   *
   * @returns how many of the named installations are members now
   */
  async addMembers(appId: string, channelName: Channel, members: NamedMembers): Promise<number> {
    const app = parameter(appId);
    const channel = parameter(channelName, 'text');
    return inRetriedTransaction(this.database, (executor) =>
      countOf(
        executor,
        sql`WITH named AS (${namedOf(app, members)}), joining AS (
              ${lockedOf(app, sql`true`)}
            ), joined AS (
              UPDATE installations i SET channels = array_append(i.channels, ${channel}), updated_at = now()
              FROM joining WHERE i.app_id = ${app} AND i.id = joining.id AND NOT joining.channels @> ARRAY[${channel}]
            )
            SELECT count(*)::int AS count FROM named`,
      ),
    );
  }

  /**
   * Ends memberships of a channel, and removes it from the subscriptions of stored sessions. An installation that only
   * its session names is changed too: a registration at the same moment copies from the session. Runs again if it
   * collides with another change. Safe to repeat.
   *
   * @returns how many of the named installations were members
   */
  async removeMembers(appId: string, channelName: Channel, members: NamedMembers): Promise<number> {
    const app = parameter(appId);
    const channel = parameter(channelName, 'text');
    return inRetriedTransaction(this.database, (executor) =>
      countOf(
        executor,
        sql`WITH named AS (${namedOf(app, members)}), leaving AS (
              ${lockedOf(app, sql`(i.channels @> ARRAY[${channel}] OR ${isNamedBySession(channel)})`)}
            ), gone AS (
              UPDATE installations i SET channels = array_remove(i.channels, ${channel}), updated_at = now()
              FROM leaving WHERE i.app_id = ${app} AND i.id = leaving.id
              RETURNING leaving.channels @> ARRAY[${channel}] AS was_member
            ), unsubscribed AS (
              UPDATE connection_sessions SET channels = array_remove(channels, ${channel}) WHERE (app_id, id) IN (
                SELECT s.app_id, s.id FROM connection_sessions s JOIN named ON s.id = named.id
                WHERE s.app_id = ${app} AND s.channels @> ARRAY[${channel}] ORDER BY s.id FOR UPDATE OF s)
            )
            SELECT count(*) FILTER (WHERE was_member)::int AS count FROM gone`,
      ),
    );
  }

  /** Counts the named installations. For a default channel, of which every installation is a member. */
  async countNamed(appId: string, members: NamedMembers): Promise<number> {
    return countOf(
      this.database,
      sql`SELECT count(*)::int AS count FROM (${namedOf(parameter(appId), members)}) named`,
    );
  }
}

/** A further condition for members of a channel. Null: no condition, because every installation is a member. */
function andJoined(channel: Channel | null): Sql {
  return channel === null ? sql`` : sql`AND channels @> ARRAY[${channel}::text]`;
}

/** The installations that these members are. */
function namedOf(app: Parameter, { users, installationIds }: NamedMembers): Sql {
  return sql`SELECT id FROM installations
    WHERE app_id = ${app} AND (user_id = ANY (${users}::text[]) OR installation_id = ANY (${installationIds}::uuid[]))`;
}

function isNamedBySession(channel: Parameter): Sql {
  return sql`EXISTS (
    SELECT FROM connection_sessions s WHERE s.app_id = i.app_id AND s.id = i.id AND s.channels @> ARRAY[${channel}])`;
}

/**
 * Locks rows of `named` in the order of their numbers, so that two calls at once do not deadlock. It returns the channels
 * that they have once they are locked.
 */
function lockedOf(app: Parameter, condition: Sql): Sql {
  return sql`SELECT i.id, i.channels FROM installations i JOIN named ON i.id = named.id WHERE i.app_id = ${app} AND ${condition}
    ORDER BY i.id FOR NO KEY UPDATE OF i`;
}

async function countOf(executor: Executor, statement: Sql): Promise<number> {
  const [counted] = await rows<{ count: number }>(executor, statement);
  return counted?.count ?? 0;
}
