import { type Executor, rows } from '../database/executor';
import { edgeIsAlive } from './edge-silence';
import { sql } from '../sql';

/** Whether an installation is connected, and when it was. */
export interface InstallationPresence {
  isOnline: boolean;
  /** Since when; null when it is not. */
  connectedAt: Date | null;
  /** When it last connected or disconnected; null: never. */
  lastSeenAt: Date | null;
}

/** @returns null for an unknown installation */
export async function readPresence(
  executor: Executor,
  appId: string,
  installationId: string,
): Promise<InstallationPresence | null> {
  const [found] = await rows<InstallationPresence>(
    executor,
    `SELECT e.edge_id IS NOT NULL AS "isOnline", CASE WHEN e.edge_id IS NOT NULL THEN p.connected_at END AS "connectedAt",
       i.connected_at AS "lastSeenAt"
     FROM installations i
     LEFT JOIN presence p ON p.app_id = i.app_id AND p.id = i.id
     LEFT JOIN edges e ON e.edge_id = p.edge_id AND ${edgeIsAlive(sql`e`).toQuery().text}
     WHERE i.app_id = $1 AND i.installation_id = $2`,
    [appId, installationId],
  );
  return found ?? null;
}
