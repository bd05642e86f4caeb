import { type Executor, rows } from '../database/executor';
import type { UserTags } from '../users/lock-user.query';
import { INSTALLATION_COLUMNS } from './installation';
import { CHANGED_HANDS, type RegisteredInstallation } from './insert-installation.query';
import { type Registration, REGISTRATION_CHANGES, registrationParameters } from './registration';

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
  const changed = await rows<RegisteredInstallation>(
    executor,
    `UPDATE installations SET ${REGISTRATION_CHANGES} WHERE app_id = $1 AND installation_id = $2
     RETURNING ${INSTALLATION_COLUMNS}, ${CHANGED_HANDS}`,
    registrationParameters(appId, installationId, sent, owner, at),
  );
  return changed[0] ?? null;
}
