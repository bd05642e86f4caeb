import { type DeviceId, InvalidRequest, type JsonObject } from '@postrider/domain';
import { Inject, Injectable } from '@nestjs/common';
import { type Database, DATABASE, type Executor, rows } from '../database/executor';
import { SHOWN_PROOF } from '../devices/user-proof';
import { parameter, sql, type Sql } from '../sql';
import type { UserTags } from '../tags/tags-of-many-users';

/**
 * The limits of the attributes of one user or installation: they are read with every send that renders or selects by
 * them.
 */
const MOST_ATTRIBUTES = 1_000;
const LARGEST_BYTES = 65_536;

/** The refusal of attributes that are too many or too large. It names the field `attributes`, as most requests have it. */
export class TooManyAttributes extends InvalidRequest {
  /** @param userId whose they would be. Undefined: the one user of the request */
  constructor(
    readonly reason: string,
    readonly userId?: string,
  ) {
    super([{ path: 'attributes', message: reason }]);
  }

  /** The same refusal, under the name of another field. */
  under(path: string): InvalidRequest {
    return new InvalidRequest([{ path, message: this.reason }]);
  }
}

/** @returns the attributes @throws TooManyAttributes */
export function checkAttributes(attributes: JsonObject, userId?: string): JsonObject {
  const message = attributesProblem(attributes);
  if (message !== null) throw new TooManyAttributes(message, userId);
  return attributes;
}

/** Says what is wrong with too many or too large attributes. Null: nothing. */
export function attributesProblem(attributes: JsonObject): string | null {
  const number = Object.keys(attributes).length;
  if (number === 0) return null;
  const isTooMuch = number > MOST_ATTRIBUTES || Buffer.byteLength(JSON.stringify(attributes)) > LARGEST_BYTES;
  return isTooMuch ? `would be more than ${MOST_ATTRIBUTES} attributes or ${LARGEST_BYTES} bytes of one user` : null;
}

/** A user as the application knows them. */
export type User = UserTags & { attributes: JsonObject };

/** A user's attributes. */
interface UserAttributesOf {
  userId: string;
  attributes: JsonObject;
}

/** Which users are listed. */
export interface UsersAsked {
  /** The beginning of their ids. */
  prefix: string;
  /** The value of one of their attributes, as text. Null: no filter. No index supports it. */
  attribute: { name: string; value: string } | null;
  afterId: string;
  limit: number;
}

/** A user in a list. */
export interface ListedUser {
  userId: string;
  tags: string[];
  tagValues: Record<string, string>;
  devices: number;
  createdAt: Date;
}

/** A user with tags and attributes. */
export type WholeUser = ListedUser & User;

/** A user whose row is locked until the transaction ends, and what one of their devices may change. */
export interface UserOfDevice {
  attributes: JsonObject;
  /** Attributes that only a device that proved its user may change. */
  protectedAttributes: string[];
  /** True if this device proved its user. */
  isProved: boolean;
  /** The day in UTC by PostgreSQL's clock, so that all gateways use the same: `2026-01-31`. */
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

  /** An application's users in the order of their ids, at most `limit` behind `afterId`. */
  list(executor: Executor, appId: string, asked: UsersAsked): Promise<ListedUser[]> {
    return rows<ListedUser>(executor, listStatement(appId, asked, sql``));
  }

  /** Like `list`, with attributes. */
  listWhole(executor: Executor, appId: string, asked: UsersAsked): Promise<WholeUser[]> {
    return rows<WholeUser>(executor, listStatement(appId, asked, sql`, u.attributes`));
  }

  /** Adds an unknown user, without a device. A known user does not change. */
  async add(executor: Executor, appId: string, userId: string): Promise<void> {
    await rows(
      executor,
      sql`INSERT INTO users (app_id, user_id) VALUES (${appId}, ${userId}) ON CONFLICT (app_id, user_id) DO NOTHING`,
    );
  }

  /**
   * Reads a user's attributes and locks them until the transaction ends, so that the next write loses no change. Null
   * for an unknown user.
   */
  async lockAttributes(executor: Executor, appId: string, userId: string): Promise<JsonObject | null> {
    const [found] = await rows<{ attributes: JsonObject }>(
      executor,
      sql`SELECT attributes FROM users WHERE app_id = ${appId} AND user_id = ${userId} FOR NO KEY UPDATE`,
    );
    return found?.attributes ?? null;
  }

  /**
   * Locks the user of a device like `lockAttributes`, and reads what the device may change. Null for an unknown user.
   */
  async lockOfDevice(
    executor: Executor,
    device: { appId: string; deviceId: DeviceId; userId: string },
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

  /**
   * Reads the attributes of these users and locks them until the transaction ends. Unknown users are made. Users are
   * locked in the order of their ids, so that two callers with the same users do not deadlock.
   *
   * @throws (PostgreSQL's PR001, `isBeingErased`) if a user is being erased
   */
  async lockOrAddMany(executor: Executor, app: string, userIds: readonly string[]): Promise<UserAttributesOf[]> {
    const appId = parameter(app);
    const lock = (ids: readonly string[]): Promise<UserAttributesOf[]> =>
      rows<UserAttributesOf>(
        executor,
        sql`SELECT user_id AS "userId", attributes FROM users
            WHERE app_id = ${appId} AND user_id = ANY (ARRAY(SELECT unnest(${ids}::text[])))
            ORDER BY user_id FOR NO KEY UPDATE`,
      );
    const known = await lock(userIds);
    if (known.length === userIds.length) return known;
    const found = new Set(known.map(({ userId }) => userId));
    const unknown = userIds.filter((userId) => !found.has(userId));
    await rows(
      executor,
      sql`INSERT INTO users (app_id, user_id)
          SELECT ${appId}::text, wanted.user_id FROM unnest(${unknown}::text[]) AS wanted (user_id)
          ORDER BY wanted.user_id COLLATE "C"
          ON CONFLICT (app_id, user_id) DO NOTHING`,
    );
    return [...known, ...(await lock(unknown))];
  }

  /**
   * Replaces the attributes of users. For rows that `lockOrAddMany` holds.
   *
   * @throws TooManyAttributes that names the first user who would have too many
   */
  async saveAttributesOfMany(executor: Executor, appId: string, changed: readonly UserAttributesOf[]): Promise<void> {
    const attributes = changed.map((user) => JSON.stringify(checkAttributes(user.attributes, user.userId)));
    const userIds = parameter(
      changed.map(({ userId }) => userId),
      'text[]',
    );
    await rows(
      executor,
      sql`UPDATE users u SET attributes = e.attributes::jsonb, updated_at = now()
          FROM unnest(${userIds}, ${attributes}::text[]) AS e (user_id, attributes)
          WHERE u.app_id = ${appId} AND u.user_id = ANY (ARRAY(SELECT unnest(${userIds}))) AND u.user_id = e.user_id`,
    );
  }

  /** Replaces a user's attributes. For a row that `lockAttributes` or `lockOfDevice` holds. */
  async saveAttributes(executor: Executor, appId: string, userId: string, attributes: JsonObject): Promise<void> {
    await rows(
      executor,
      sql`UPDATE users SET attributes = ${JSON.stringify(attributes)}::jsonb, updated_at = now()
          WHERE app_id = ${appId} AND user_id = ${userId}`,
    );
  }

  /**
   * Finds the time zone of each of these users, from the device that they used last. Users whose devices report none
   * are left out.
   */
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

/** @param further columns beside those of a `ListedUser` */
function listStatement(app: string, { prefix, attribute, afterId, limit }: UsersAsked, further: Sql): Sql {
  const appId = parameter(app);
  const pattern = `${prefix.replace(/[\\%_]/g, '\\$&')}%`;
  const has = attribute === null ? sql`true` : sql`u.attributes ->> ${attribute.name}::text = ${attribute.value}::text`;
  return sql`SELECT u.user_id AS "userId", u.tags, u.tag_values AS "tagValues", u.created_at AS "createdAt",
        (SELECT count(*)::int FROM installations i WHERE i.app_id = ${appId} AND i.user_id = u.user_id) AS devices${further}
      FROM users u
      WHERE u.app_id = ${appId} AND u.user_id LIKE ${pattern} AND u.user_id > ${afterId} AND ${has}
      ORDER BY u.user_id LIMIT ${limit}`;
}
