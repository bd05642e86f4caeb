import { storeMessage, type AudienceSelection } from '@postrider/audience';
import type { Database } from '@postrider/persistence';
import { newId } from '@postrider/platform';

const CONTENT = {
  content: 'Hello',
  useAsAlert: false,
  silent: false,
  inApp: false,
  live: false,
  autoNotify: false,
};

/** Accepts a message, to everyone unless `who` is given: what a gateway does before it enqueues. */
export async function accept(
  database: Database,
  who: AudienceSelection['who'] = { kind: 'everyone' },
  lifeMs = 3_600_000,
): Promise<string> {
  const acceptedAt = new Date();
  const id = newId(acceptedAt);
  const isNamed = who.kind === 'users';
  await storeMessage(
    database,
    {
      id,
      kind: isNamed ? 'users' : 'query',
      isCampaign: !isNamed,
      lane: isNamed ? 'transactional' : 'campaign',
      content: CONTENT,
      acceptedAt,
      expiresAt: new Date(acceptedAt.getTime() + lifeMs),
    },
    { appId: 'shop', acceptedAt, channel: 'public/default', who, reach: 'any' },
    { pageSize: 500 },
  );
  return id;
}

/** Accepts a message to named users that is sent in an hour. */
export async function acceptLater(database: Database, userIds: string[]): Promise<string> {
  const acceptedAt = new Date();
  const id = newId(acceptedAt);
  const sendAt = new Date(acceptedAt.getTime() + 3_600_000);
  await storeMessage(
    database,
    {
      id,
      kind: 'users',
      isCampaign: false,
      lane: 'transactional',
      content: CONTENT,
      acceptedAt,
      expiresAt: new Date(sendAt.getTime() + 3_600_000),
      schedule: { sendAt, ttlSeconds: 3_600, ignoreQuietHours: false },
    },
    { appId: 'shop', acceptedAt, channel: 'public/default', who: { kind: 'users', userIds }, reach: 'any' },
    { pageSize: 500 },
  );
  return id;
}

/** Makes everything due that waits for recovery, as if time had passed. */
export async function letTimePass(database: Database): Promise<void> {
  await database.query(`UPDATE pages SET wake_at = now() - interval '1 second' WHERE wake_at IS NOT NULL`);
  await database.query(`UPDATE messages SET wake_at = now() - interval '1 second' WHERE wake_at IS NOT NULL`);
}
