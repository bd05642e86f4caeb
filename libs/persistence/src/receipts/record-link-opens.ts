import { type Database, rows } from '../database/executor';
import { inRetriedTransaction } from '../database/retried-transaction';
import { UsersRepository } from '../users/users.repository';
import { rememberEvents } from './remember-events.query';

/** A link that a device reported as opened. */
export interface LinkOpen {
  link: string;
  /** By the device's clock; null: now. */
  at: Date | null;
}

/**
 * Records links that a device of a user reported as opened. The same link at the same moment, by the device's clock, is
 * recorded once, and no later than now; one without a moment each time.
 */
export async function recordLinkOpens(
  database: Database,
  device: { appId: string; deviceId: string; userId: string },
  opens: readonly LinkOpen[],
  now: Date,
): Promise<void> {
  const { appId, deviceId, userId } = device;
  const users = new UsersRepository(database);
  await inRetriedTransaction(database, async (executor) => {
    const user = await users.lockOfDevice(executor, device);
    if (!user) return;
    const events = opens.map(({ link, at }) => ({ identity: at && { link, at: at.toISOString() } }));
    const isNew = await rememberEvents(executor, { ...device, today: user.today }, events);
    const opened = opens.filter((_, index) => isNew[index]);
    if (opened.length === 0) return;
    await rows(executor, INSERT, [
      appId,
      deviceId,
      userId,
      opened.map(({ link }) => link),
      opened.map(({ at }) => (at === null || at > now ? now : at)),
    ]);
  });
}

const INSERT = `
  INSERT INTO link_opens (app_id, device_id, user_id, link, opened_at)
  SELECT $1, $2, $3, link, opened_at FROM unnest($4::text[], $5::timestamptz[]) AS opened (link, opened_at)
  ON CONFLICT (app_id, device_id, opened_at, md5(link)) DO NOTHING`;
