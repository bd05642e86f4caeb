import { Inject, Injectable } from '@nestjs/common';
import type { DeviceId, JsonObject } from '@postrider/domain';
import { type Database, DATABASE } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import { literal, type Parameter, parameter, sql, type Sql } from '../sql';

/** The facts about a device and its user that a text may use. */
export interface StoredPerson {
  deviceId: DeviceId;
  userId: string;
  /** The user's attributes. */
  attributes: JsonObject;
  tags: string[];
  tagValues: JsonObject;
  device: StoredDeviceFacts;
}

/** The device's part of a `StoredPerson`: everything that it registered except its token. */
interface StoredDeviceFacts {
  installationId: string;
  deviceType: string | null;
  osVersion: string | null;
  clientVersion: string | null;
  locale: string | null;
  timeZone: string | null;
  attributes: JsonObject;
  registration: JsonObject;
}

/** The facts about a user that a text may use, whatever device they read it on. */
export interface StoredUserFacts {
  userId: string;
  attributes: JsonObject;
  tags: string[];
  tagValues: JsonObject;
}

/** Which facts are needed. The others are returned as if there were none. */
interface FactsWanted {
  user: boolean;
  device: boolean;
  tags: boolean;
  /** The user attributes that are needed. Null or absent: all. */
  attributes?: readonly string[] | null;
}

const EVERYTHING: FactsWanted = { user: true, device: true, tags: true };

/** From this size on, picking some attributes is less work than sending all. */
const MANY_BYTES = 300;

/** The facts about people and their devices that personal texts use. One JSON text is read faster than many rows. */
@Injectable()
export class PersonFactsRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /**
   * Finds the facts about these devices and their users, by device. Devices that are gone have no entry. The kind of
   * device and its ids are always included.
   */
  async findOfDevices(
    app: string,
    deviceIds: readonly DeviceId[],
    wanted: FactsWanted = EVERYTHING,
  ): Promise<Map<DeviceId, StoredPerson>> {
    const appId = parameter(app);
    const [device, tags] = [parameter(wanted.device), parameter(wanted.tags)];
    const attributes = attributesOf(sql`u.attributes`, parameter(wanted.attributes ?? null));
    // The lookups are LATERAL so that no statistics can turn them into scans.
    const [found] = await preparedRows<{ people: StoredPerson[] }>(
      this.database,
      sql`SELECT coalesce(json_agg(json_build_object(
            'deviceId', i.id::text, 'userId', i.user_id, 'attributes', coalesce(${attributes}, '{}'),
            'tags', CASE WHEN ${tags} THEN i.tags ELSE '{}' END,
            'tagValues', CASE WHEN ${tags} THEN i.tag_values ELSE '{}' END, 'device', json_build_object(
              'installationId', i.installation_id, 'deviceType', i.device_type, 'osVersion', i.os_version,
              'clientVersion', i.client_version, 'locale', i.locale, 'timeZone', i.time_zone,
              'attributes', CASE WHEN ${device} THEN i.attributes ELSE '{}' END,
              'registration', CASE WHEN ${device} THEN i.registration ELSE '{}' END
            )
          )), '[]') AS people
          FROM unnest(${deviceIds}::bigint[]) AS wanted (id)
          CROSS JOIN LATERAL (SELECT * FROM installations WHERE app_id = ${appId} AND id = wanted.id LIMIT 1) i
          LEFT JOIN LATERAL (
            SELECT attributes FROM users WHERE ${wanted.user} AND app_id = ${appId} AND user_id = i.user_id LIMIT 1
          ) u ON true`,
    );
    return new Map((found?.people ?? []).map((person) => [person.deviceId, person]));
  }

  /**
   * Finds the facts about these users, by user. Unknown users have no entry.
   *
   * @param wanted without `tags` the result has none; with `attributes` only those are needed, and others may be left
   * out
   */
  async findOfUsers(
    appId: string,
    userIds: readonly string[],
    wanted: Pick<FactsWanted, 'tags' | 'attributes'> = EVERYTHING,
  ): Promise<Map<string, StoredUserFacts>> {
    const tags = parameter(wanted.tags);
    const attributes = attributesOf(sql`u.attributes`, parameter(wanted.attributes ?? null));
    const [found] = await preparedRows<{ users: StoredUserFacts[] }>(
      this.database,
      sql`SELECT coalesce(json_agg(json_build_object('userId', u.user_id, 'attributes', ${attributes},
            'tags', CASE WHEN ${tags} THEN u.tags ELSE '{}' END,
            'tagValues', CASE WHEN ${tags} THEN u.tag_values ELSE '{}' END)), '[]') AS users
          FROM unnest(${userIds}::text[]) AS wanted (user_id)
          CROSS JOIN LATERAL (SELECT * FROM users WHERE app_id = ${appId} AND user_id = wanted.user_id LIMIT 1) u`,
    );
    return new Map((found?.users ?? []).map((user) => [user.userId, user]));
  }
}

/** A user's attributes. If there are many, only those in `names`, which may be null for all. */
function attributesOf(attributes: Sql, names: Parameter): Sql {
  return sql`
  CASE WHEN ${names}::text[] IS NULL OR pg_column_size(${attributes}) < ${literal(MANY_BYTES)} THEN ${attributes} ELSE (
    SELECT coalesce(jsonb_object_agg(name, ${attributes} -> name), '{}')
    FROM unnest(${names}::text[]) AS named (name) WHERE ${attributes} ? name
  ) END`;
}
