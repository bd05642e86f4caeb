import { type Executor, rows } from '../database/executor';

/** A link that a device reported as opened. */
export interface LinkOpen {
  link: string;
  openedAt: Date;
}

/**
 * Records links that a device of a user reported as opened, while it is theirs. The same link at the same moment is recorded once.
 */
export async function insertLinkOpens(
  executor: Executor,
  appId: string,
  opener: { deviceId: string; userId: string },
  opens: readonly LinkOpen[],
): Promise<void> {
  await rows(
    executor,
    `INSERT INTO link_opens (app_id, device_id, user_id, link, opened_at)
     SELECT $1, $2, $3, link, opened_at FROM unnest($4::text[], $5::timestamptz[]) AS opened (link, opened_at)
     WHERE EXISTS (SELECT FROM installations WHERE app_id = $1 AND id = $2 AND user_id = $3 FOR KEY SHARE)
     ON CONFLICT (app_id, device_id, opened_at, md5(link)) DO NOTHING`,
    [appId, opener.deviceId, opener.userId, opens.map(({ link }) => link), opens.map(({ openedAt }) => openedAt)],
  );
}
