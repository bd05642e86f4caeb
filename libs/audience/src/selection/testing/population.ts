import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@postrider/domain';
import { newId } from '@postrider/platform';
import type { Database } from '@postrider/persistence';
import type { NewMessage } from '../message-row';

/** A device of a test. By default it is an Android phone with a usable FCM token. */
export interface TestDevice {
  userId: string;
  pushType?: string | null;
  token?: string | null;
  tokenStatus?: string;
  realtime?: boolean;
  channels?: string[];
  tags?: string[];
  deviceType?: string;
  osVersionKey?: string | null;
  protected?: boolean;
  userSince?: Date;
}

/** Makes an application with credentials for `vendors`. */
export async function createApplication(database: Database, appId: string, vendors: string[]): Promise<void> {
  await database.query(`INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ($1, $1, '')`, [appId]);
  await database.query(
    `INSERT INTO vendor_credentials (app_id, vendor, settings, sealed) SELECT $1, unnest($2::text[]), '{}', ''`,
    [appId, vendors],
  );
}

/** Registers devices, and returns their ids in the same order. */
export async function addDevices(database: Database, appId: string, devices: TestDevice[]): Promise<string[]> {
  const columns = devices.map(({ token, ...device }) => ({
    installationId: randomUUID(),
    pushType: 'fcm',
    deviceType: 'android',
    channels: [],
    tags: [],
    userSince: new Date(0),
    ...device,
    token: token === undefined ? randomUUID() : token,
  }));
  const added: { id: string }[] = await database.query(
    `INSERT INTO installations (app_id, installation_id, user_id, user_since, push_type, token, token_status, realtime,
       channels, tags, device_type, os_version_key, protected)
     SELECT $1, d."installationId", d."userId", d."userSince", d."pushType", d.token, d."tokenStatus",
       coalesce(d.realtime, false), d.channels, d.tags, d."deviceType", d."osVersionKey", coalesce(d.protected, false)
     FROM ROWS FROM (jsonb_to_recordset($2::jsonb) AS ("installationId" uuid, "userId" text, "userSince" timestamptz,
       "pushType" text, token text, "tokenStatus" text, realtime boolean, channels text[], tags text[], "deviceType" text,
       "osVersionKey" text, protected boolean)) WITH ORDINALITY AS d
     ORDER BY d.ordinality
     RETURNING id`,
    [appId, JSON.stringify(columns)],
  );
  return added.map(({ id }) => id);
}

/** Opens a connection for each device on an edge that is alive. */
export async function connect(database: Database, appId: string, ids: string[]): Promise<void> {
  // An edge that stays alive however long a test takes.
  await database.query(
    `INSERT INTO edges (edge_id, heartbeat_at) VALUES ('edge-1', now() + interval '1 day') ON CONFLICT DO NOTHING`,
  );
  await database.query(
    `INSERT INTO presence (app_id, id, edge_id, epoch) SELECT $1, unnest($2::bigint[]), 'edge-1', 1`,
    [appId, ids],
  );
}

/** Returns a message that is accepted now, and lives for a day. */
export function newMessage(changes: Partial<NewMessage> & { flags?: JsonObject } = {}): NewMessage {
  const { flags, ...fields } = changes;
  const acceptedAt = fields.acceptedAt ?? new Date();
  const content = { content: 'Hello', useAsAlert: false, silent: false, inApp: false, live: false, autoNotify: false };
  return {
    id: newId(acceptedAt),
    kind: 'users',
    isCampaign: false,
    lane: 'transactional',
    content: { ...content, ...flags },
    acceptedAt,
    expiresAt: new Date(acceptedAt.getTime() + 86_400_000),
    ...fields,
  };
}
