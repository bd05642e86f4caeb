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
 * SQL for whether a message that was routed to a device is for the user who owns the device now. One that names users is for
 * those; any other for whoever had the device when it was to be sent. A device that never changed hands needs no look at the
 * names, of which there may be very many.
 */
export function isMeantFor(owner: DeviceOwner, { users, since }: MessageRecipients): Sql {
  const isNamed = sql`${owner.userId} = ANY (${users})`;
  return sql`(CASE WHEN ${users} IS NULL THEN ${owner.since} <= ${since}
    ELSE ${owner.isFirst === undefined ? isNamed : sql`${owner.isFirst} OR ${isNamed}`} END)`;
}

/** `isMeantFor`, of the owner whom the device's row names. */
export function isMeantForOwner({ installation: i, ...message }: RoutedMessage): Sql {
  const isFirst = sql`${i}.user_since = ${i}.created_at`;
  return isMeantFor({ userId: sql`${i}.user_id`, since: sql`${i}.user_since`, isFirst }, message);
}

/** SQL for the user that a message came to a device for: its owner now, or a former one. Of a change of hands that nobody wrote down, the owner now. */
export function recipientOf(routed: RoutedMessage): Sql {
  const { installation: i, users, since } = routed;
  return sql`CASE WHEN ${isMeantForOwner(routed)} THEN ${i}.user_id ELSE coalesce((
      SELECT f.user_id FROM former_owners f
      WHERE f.app_id = ${i}.app_id AND f.device_id = ${i}.id
        AND CASE WHEN ${users} IS NULL THEN f.until > ${since} ELSE f.user_id = ANY (${users}) END
      ORDER BY f.until LIMIT 1
    ), ${i}.user_id) END`;
}
