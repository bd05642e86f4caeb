import { sql, type Sql } from '../sql';

/** Who has a device now, in parts of the statement that asks about them. */
interface DeviceOwner {
  userId: Sql;
  since: Sql;
  /** A condition: nobody had the device before them. Left out: the statement does not know. */
  isFirst?: Sql;
}

/** Whom a message is for, in parts of the statement that asks about it. */
interface MessageRecipients {
  /** The users that the message names; SQL null: none. */
  users: Sql;
  /** When the message was accepted; of a scheduled one, when it was to be sent. */
  since: Sql;
}

/** A message that was routed to a device, and the alias of the device's `installations` row. */
type RoutedMessage = MessageRecipients & { installation: Sql };

/**
 * SQL for whether a message that was routed to a device is meant for its present owner. A message to named users is, if
 * it names them; any other, if they owned the device when it was to be sent. A device that always had one owner is theirs,
 * whatever the times say (a clock that is put back changes their order), and the names, of which there may be very many, are
 * not looked at.
 */
export function isMeantFor(owner: DeviceOwner, { users, since }: MessageRecipients): Sql {
  const isMeant = sql`CASE WHEN ${users} IS NULL THEN ${owner.since} <= ${since} ELSE ${owner.userId} = ANY (${users}) END`;
  return owner.isFirst === undefined ? sql`(${isMeant})` : sql`(${owner.isFirst} OR ${isMeant})`;
}

/** `isMeantFor`, of the owner whom the device's row names. */
export function isMeantForOwner({ installation: i, ...message }: RoutedMessage): Sql {
  return isMeantFor({ userId: sql`${i}.user_id`, since: sql`${i}.user_since`, isFirst: isFirstOwner(i) }, message);
}

/** A condition: nobody had the installation (by its alias) before the user who owns it now. */
export function isFirstOwner(installation: Sql): Sql {
  return sql`${installation}.user_since = ${installation}.created_at`;
}

/**
 * SQL for the user for whom a message came to the device: the present owner or a former one; the present one if the
 * change was not recorded.
 */
export function recipientOf(routed: RoutedMessage): Sql {
  const { installation: i, users, since } = routed;
  return sql`CASE WHEN ${isMeantForOwner(routed)} THEN ${i}.user_id ELSE coalesce((
      SELECT f.user_id FROM former_owners f
      WHERE f.app_id = ${i}.app_id AND f.device_id = ${i}.id
        AND CASE WHEN ${users} IS NULL THEN f.until > ${since} ELSE f.user_id = ANY (${users}) END
      ORDER BY f.until LIMIT 1
    ), ${i}.user_id) END`;
}
