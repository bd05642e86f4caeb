import { sql, type Sql } from '../sql';

/** The present owner of a device, as parts of a statement. */
interface DeviceOwner {
  appId: Sql;
  deviceId: Sql;
  userId: Sql;
  since: Sql;
  /** A condition: the device had no owner before this one. Left out: the statement does not know. */
  isFirst?: Sql;
}

/** Whom a message is for, as parts of a statement. */
interface MessageRecipients {
  /** The users that the message names. SQL null: none. */
  users: Sql;
  /** When the message was accepted; for a scheduled message, when it was to be sent. */
  since: Sql;
}

/** A message that was routed to a device, and the alias of the device's `installations` row. */
type RoutedMessage = MessageRecipients & { installation: Sql };

/**
 * SQL condition: a message that was routed to a device is meant for its present owner. A message to named users is, if
 * it names the owner, and the device did not belong to another of its users when it was to be sent. Any other message
 * is, if the owner had the device when the message was to be sent. If a device has always had one owner, every message
 * is meant for them, whatever the times say (their order changes if a clock is put back), and the names, which may be
 * very many, are not read.
 */
export function isMeantFor(owner: DeviceOwner, message: MessageRecipients): Sql {
  const { users, since } = message;
  const isMeant = sql`CASE WHEN ${owner.since} <= ${since} THEN ${users} IS NULL OR ${owner.userId} = ANY (${users})
    ELSE ${users} IS NOT NULL AND ${owner.userId} = ANY (${users})
      AND coalesce((${firstNamedOwner(owner, message)}), ${owner.userId}) = ${owner.userId} END`;
  return owner.isFirst === undefined ? sql`(${isMeant})` : sql`(${owner.isFirst} OR ${isMeant})`;
}

/** A SELECT of the former owner, named by a message, who had the device when the message was to be sent. Mostly it finds none. */
export function firstNamedOwner(
  { appId, deviceId }: Pick<DeviceOwner, 'appId' | 'deviceId'>,
  { users, since }: MessageRecipients,
): Sql {
  return sql`SELECT f.user_id FROM former_owners f
      WHERE f.app_id = ${appId} AND f.device_id = ${deviceId} AND f.until > ${since} AND f.user_id = ANY (${users})
      ORDER BY f.until LIMIT 1`;
}

/** Like `isMeantFor`, for the owner in the row of the device. */
export function isMeantForOwner({ installation: i, ...message }: RoutedMessage): Sql {
  return isMeantFor({ ...ownerOf(i), isFirst: isFirstOwner(i) }, message);
}

function ownerOf(i: Sql): DeviceOwner {
  const [appId, deviceId] = [sql`${i}.app_id`, sql`${i}.id`];
  return { appId, deviceId, userId: sql`${i}.user_id`, since: sql`${i}.user_since` };
}

/** A condition: the installation (by its alias) had no owner before the present one. */
export function isFirstOwner(installation: Sql): Sql {
  return sql`${installation}.user_since = ${installation}.created_at`;
}

/**
 * SQL for the user that a message to the device was meant for: the present owner or a former one. The present one if
 * the change was not recorded.
 */
export function recipientOf(routed: RoutedMessage): Sql {
  const { installation: i, users, since } = routed;
  return sql`CASE WHEN ${isMeantForOwner(routed)} THEN ${i}.user_id ELSE coalesce((
      SELECT f.user_id FROM former_owners f
      WHERE f.app_id = ${i}.app_id AND f.device_id = ${i}.id
        AND CASE WHEN ${users} IS NULL THEN f.until > ${since} ELSE f.user_id = ANY (${users}) END
      ORDER BY f.until <= ${since}, f.until LIMIT 1
    ), ${i}.user_id) END`;
}
