import { Inject, Injectable } from '@nestjs/common';
import type { JsonObject } from '@postrider/domain';
import { type Database, DATABASE, type Executor, rows } from '../database/executor';
import { SHOWN_PROOF } from '../devices/user-proof';
import { parameter, sql } from '../sql';
import type { UserTags } from '../tags/tags-of-many-users';

/** A user as the application knows them. */
export type User = UserTags & { attributes: JsonObject };

/** A user in a list. */
export interface ListedUser {
  userId: string;
  tags: string[];
  devices: number;
  createdAt: Date;
}

/** A user who is held until the transaction ends, and what one of their devices may change. */
export interface UserOfDevice {
  attributes: JsonObject;
  /** Attributes that only a device which proved its user changes. */
  protectedAttributes: string[];
  /** Whether this device proved its user. */
  isProved: boolean;
  /** The day in UTC by PostgreSQL's clock, on which gateways whose clocks differ agree: `2026-01-31`. */
  today: string;
}

/** The users of applications, and their attributes. */
@Injectable()
export class UsersRepository {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** The user, or null. */
  async find(appId: string, userId: string): Promise<User | null> {
    const [found] = await rows<User>(
      this.database,
      sql`SELECT tags, tag_values AS "tagValues", attributes FROM users WHERE app_id = ${appId} AND user_id = ${userId}`,
    );
    return found ?? null;
  }

  /** An application's users whose ids begin with `prefix`, in the order of their ids, at most `limit` behind `afterId`. */
  async list(
    app: string,
    { prefix, afterId, limit }: { prefix: string; afterId: string; limit: number },
  ): Promise<ListedUser[]> {
    const appId = parameter(app);
    const pattern = `${prefix.replace(/[\\%_]/g, '\\$&')}%`;
    return rows<ListedUser>(
      this.database,
      sql`SELECT u.user_id AS "userId", u.tags, u.created_at AS "createdAt",
            (SELECT count(*)::int FROM installations i WHERE i.app_id = ${appId} AND i.user_id = u.user_id) AS devices
          FROM users u
          WHERE u.app_id = ${appId} AND u.user_id LIKE ${pattern} AND u.user_id > ${afterId}
          ORDER BY u.user_id LIMIT ${limit}`,
    );
  }

  /** Adds a user whom nobody has heard of yet, without a device; one who is known stays as they are. */
  async add(executor: Executor, appId: string, userId: string): Promise<void> {
    await rows(
      executor,
      sql`INSERT INTO users (app_id, user_id) VALUES (${appId}, ${userId}) ON CONFLICT (app_id, user_id) DO NOTHING`,
    );
  }

  /** A user's attributes, held until the transaction ends: what is written next loses no change. Null for an unknown user. */
  async lockAttributes(executor: Executor, appId: string, userId: string): Promise<JsonObject | null> {
    const [found] = await rows<{ attributes: JsonObject }>(
      executor,
      sql`SELECT attributes FROM users WHERE app_id = ${appId} AND user_id = ${userId} FOR NO KEY UPDATE`,
    );
    return found?.attributes ?? null;
  }

  /** A device's user, as `lockAttributes` holds them, and what the device may change. Null for an unknown user. */
  async lockOfDevice(
    executor: Executor,
    device: { appId: string; deviceId: string; userId: string },
  ): Promise<UserOfDevice | null> {
    const [appId, userId] = [parameter(device.appId), parameter(device.userId)];
    const [found] = await rows<UserOfDevice>(
      executor,
      sql`SELECT u.attributes, a.protected_attributes AS "protectedAttributes", coalesce((
              SELECT i.user_proof = ${SHOWN_PROOF} FROM installations i
              WHERE i.app_id = ${appId} AND i.id = ${device.deviceId} AND i.user_id = ${userId}
            ), false) AS "isProved", (now() AT TIME ZONE 'UTC')::date::text AS today
          FROM users u JOIN applications a ON a.app_id = u.app_id
          WHERE u.app_id = ${appId} AND u.user_id = ${userId} FOR NO KEY UPDATE OF u`,
    );
    return found ?? null;
  }

  /** Writes a user's attributes, whole. For a row that `lockAttributes` or `lockOfDevice` holds. */
  async saveAttributes(executor: Executor, appId: string, userId: string, attributes: JsonObject): Promise<void> {
    await rows(
      executor,
      sql`UPDATE users SET attributes = ${JSON.stringify(attributes)}::jsonb, updated_at = now()
          WHERE app_id = ${appId} AND user_id = ${userId}`,
    );
  }

  /** Where users are: the time zone of the device that each used last. Users of whom no device says so are left out. */
  async findTimeZones(executor: Executor, appId: string, userIds: readonly string[]): Promise<Map<string, string>> {
    const zones = await rows<{ userId: string; zone: string }>(
      executor,
      sql`SELECT asked.user_id AS "userId", device.time_zone AS zone
          FROM unnest(${userIds}::text[]) AS asked (user_id) CROSS JOIN LATERAL (
            SELECT i.time_zone FROM installations i
            WHERE i.app_id = ${appId} AND i.user_id = asked.user_id AND i.time_zone IS NOT NULL
            ORDER BY i.launch_time DESC LIMIT 1
          ) device`,
    );
    return new Map(zones.map(({ userId, zone }) => [userId, zone]));
  }
}
