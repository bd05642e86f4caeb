import type { JsonObject } from '@postrider/domain';
import { type Executor, rows } from '../database/executor';

/** An installation's number, owner and own attributes. */
export interface InstallationOwner {
  deviceId: string;
  userId: string;
  attributes: JsonObject;
}

/** Finds an installation and holds it until the transaction ends: it keeps its owner meanwhile. Null: unknown. */
export async function lockInstallation(
  executor: Executor,
  appId: string,
  installationId: string,
): Promise<InstallationOwner | null> {
  const found = await rows<InstallationOwner>(
    executor,
    `SELECT id AS "deviceId", user_id AS "userId", attributes FROM installations
     WHERE app_id = $1 AND installation_id = $2 FOR NO KEY UPDATE`,
    [appId, installationId],
  );
  return found[0] ?? null;
}

/** Who an installation belongs to at the moment. Null: unknown. */
export async function findInstallationOwner(
  executor: Executor,
  appId: string,
  installationId: string,
): Promise<{ deviceId: string; userId: string } | null> {
  const found = await rows<{ deviceId: string; userId: string }>(
    executor,
    `SELECT id AS "deviceId", user_id AS "userId" FROM installations WHERE app_id = $1 AND installation_id = $2`,
    [appId, installationId],
  );
  return found[0] ?? null;
}

/** Writes an installation's own attributes, whole. For a row that `lockInstallation` holds. */
export async function saveInstallationAttributes(
  executor: Executor,
  appId: string,
  installationId: string,
  attributes: JsonObject,
): Promise<void> {
  await rows(
    executor,
    `UPDATE installations SET attributes = $3::jsonb, updated_at = now() WHERE app_id = $1 AND installation_id = $2`,
    [appId, installationId, JSON.stringify(attributes)],
  );
}
