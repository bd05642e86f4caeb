import type { JsonObject } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';
import { type Installation, INSTALLATION_COLUMNS } from './installation';

/** An installation with its user's attributes. */
export type InstallationOfUser = Installation & { userInfo: JsonObject };

/** The installations with these ids, in no particular order; ids of other applications are not found. */
export async function findInstallations(
  executor: Executor,
  appId: string,
  installationIds: readonly string[],
): Promise<InstallationOfUser[]> {
  return rows<InstallationOfUser>(
    executor,
    `SELECT ${INSTALLATION_COLUMNS}, coalesce(users.attributes, '{}') AS "userInfo"
     FROM installations LEFT JOIN users USING (app_id, user_id)
     WHERE app_id = $1 AND installation_id = ANY ($2::uuid[])`,
    [appId, installationIds],
  );
}
