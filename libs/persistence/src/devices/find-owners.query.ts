import type { Executor } from '../database/executor';
import { preparedRows } from '../database/prepared-rows';

/** Who an installation belongs to. */
export interface OwnerOfInstallation {
  appId: string;
  installationId: string;
  deviceId: string;
  userId: string;
}

/** Who these installations belong to at the moment; unknown ones are left out. */
export async function findOwners(
  executor: Executor,
  installations: readonly { appId: string; installationId: string }[],
): Promise<OwnerOfInstallation[]> {
  return preparedRows<OwnerOfInstallation>(
    executor,
    `SELECT i.app_id AS "appId", i.installation_id AS "installationId", i.id AS "deviceId", i.user_id AS "userId"
     FROM unnest($1::text[], $2::uuid[]) AS r (app_id, installation_id)
     CROSS JOIN LATERAL (
       SELECT app_id, installation_id, id, user_id FROM installations
       WHERE app_id = r.app_id AND installation_id = r.installation_id LIMIT 1
     ) i`,
    [installations.map(({ appId }) => appId), installations.map(({ installationId }) => installationId)],
  );
}
