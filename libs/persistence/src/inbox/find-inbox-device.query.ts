import { type Executor, rows } from '../database/executor';
import type { InboxDevice } from './inbox.query';

/** An installation whose inbox is asked for, and what its messages show. */
export interface InboxOwner extends InboxDevice {
  deviceType: string | null;
  applicationName: string;
  defaultAlertText: string;
}

/** The installation, or null when it is unknown. */
export async function findInboxDevice(
  executor: Executor,
  appId: string,
  installationId: string,
): Promise<InboxOwner | null> {
  const found = await rows<InboxOwner>(
    executor,
    `SELECT i.app_id AS "appId", i.id AS "deviceId", i.user_since AS "userSince", i.user_id AS "userId",
       i.device_type AS "deviceType", a.name AS "applicationName", a.default_alert_text AS "defaultAlertText"
     FROM installations i JOIN applications a ON a.app_id = i.app_id
     WHERE i.app_id = $1 AND i.installation_id = $2`,
    [appId, installationId],
  );
  return found[0] ?? null;
}
