/**
 * SQL for whether a message that was routed to a device is for the user who owns the device now. One that names users is for
 * those; any other for whoever had the device when it was to be sent. A device that never changed hands needs no look at the
 * names, of which there may be very many.
 *
 * The arguments are SQL written here, never input.
 *
 * @param installation alias of an `installations` row
 * @param userIds the users that the message names; SQL null: none
 * @param startsAt when the message was accepted; of a scheduled one, when it was to be sent
 */
export function isMeantForOwner(installation: string, userIds: string, startsAt: string): string {
  const i = installation;
  return `(CASE WHEN ${userIds} IS NULL THEN ${i}.user_since <= ${startsAt}
    ELSE ${i}.user_since = ${i}.created_at OR ${i}.user_id = ANY (${userIds}) END)`;
}

/**
 * SQL for the user that a message came to a device for: its owner now, or a former one. Of a change of hands that nobody
 * wrote down, the owner now.
 *
 * @param installation alias of an `installations` row
 */
export function recipientOf(installation: string, userIds: string, startsAt: string): string {
  const i = installation;
  return `CASE WHEN ${isMeantForOwner(i, userIds, startsAt)} THEN ${i}.user_id ELSE coalesce((
      SELECT f.user_id FROM former_owners f
      WHERE f.app_id = ${i}.app_id AND f.device_id = ${i}.id
        AND CASE WHEN ${userIds} IS NULL THEN f.until > ${startsAt} ELSE f.user_id = ANY (${userIds}) END
      ORDER BY f.until LIMIT 1
    ), ${i}.user_id) END`;
}
