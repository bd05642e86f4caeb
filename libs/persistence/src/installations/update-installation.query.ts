import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';
import type { UserTags } from '../users/lock-user.query';
import { INSTALLATION_COLUMNS } from './installation';
import { CHANGED_HANDS, type RegisteredInstallation } from './insert-installation.query';
import { type Registration, registrationChanges, registrationParameters } from './registration';

/**
 * Registers a device that knows its installation's id: its full state replaces what is stored.
 *
 * @param owner the user's tags, from `lockUser` in the same transaction
 * @returns null for an unknown id
 * @throws a unique violation when another installation holds the vendor token; see `evictTokenHolder`
 */
export async function updateInstallation(
  executor: Executor,
  appId: string,
  installationId: string,
  sent: Registration,
  owner: UserTags,
  at: Date,
): Promise<RegisteredInstallation | null> {
  const changed = await preparedRows<RegisteredInstallation>(
    executor,
    `UPDATE installations SET ${registrationChanges({ tags: '$24::text[]', tagValues: '$25::jsonb' })}
     WHERE app_id = $1 AND installation_id = $2
     RETURNING ${INSTALLATION_COLUMNS}, ${CHANGED_HANDS}`,
    registrationParameters(appId, installationId, sent, owner, at),
  );
  return changed[0] ?? null;
}

/**
 * The same in a statement of its own, for the user who has the device already: he and his tags are read and held by the
 * statement itself.
 *
 * @returns null when the id or the user is unknown or the device is another user's; nothing has happened then
 * @throws as `updateInstallation`
 */
export async function refreshInstallation(
  executor: Executor,
  appId: string,
  installationId: string,
  sent: Registration,
  at: Date,
): Promise<RegisteredInstallation | null> {
  const changed = await preparedRows<RegisteredInstallation>(
    executor,
    `WITH owner AS (SELECT tags, tag_values FROM users WHERE app_id = $1 AND user_id = $3 FOR SHARE)
     UPDATE installations SET ${registrationChanges({ tags: 'owner.tags', tagValues: 'owner.tag_values' })}
     FROM owner WHERE app_id = $1 AND installation_id = $2 AND user_id = $3
     RETURNING ${INSTALLATION_COLUMNS}, ${CHANGED_HANDS}`,
    registrationParameters(appId, installationId, sent, null, at),
  );
  return changed[0] ?? null;
}
