import { type Executor, rows } from '../database/executor';

/** Removes an installation. @returns its device id, or null when there was none */
export async function deleteInstallation(
  executor: Executor,
  appId: string,
  installationId: string,
): Promise<string | null> {
  const gone = await rows<{ deviceId: string }>(
    executor,
    `DELETE FROM installations WHERE app_id = $1 AND installation_id = $2 RETURNING id AS "deviceId"`,
    [appId, installationId],
  );
  return gone[0]?.deviceId ?? null;
}
