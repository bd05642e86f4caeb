import { Client } from 'pg';
import { copyInto } from '../../seed/copy-rows';
import type { SeedDevice } from '../../seed/population';
import { DEVICE_COLUMNS, deviceCells, USER_COLUMNS, userCells } from '../../seed/seed-application';

/**
 * Writes users and their devices in one transaction. Some of those without a token had one that a vendor called dead at one of
 * `deaths`: they are in the report of uninstalled apps.
 */
export async function fillPeople(
  databaseUrl: string,
  appId: string,
  devices: readonly SeedDevice[],
  deaths: readonly Date[],
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    const users = copyInto(client, 'users', USER_COLUMNS);
    for (const user of new Set(devices.map((device) => device.user))) await users.write(userCells(appId, user));
    await users.end();
    const installations = copyInto(client, 'installations', DEVICE_COLUMNS);
    for (const device of devices) await installations.write(deviceCells(appId, device));
    await installations.end();
    await client.query(
      `INSERT INTO removed_tokens (app_id, device_id, installation_id, device_type, user_id, dead_at)
       SELECT app_id, id, installation_id, device_type, user_id, dead_at FROM (
         SELECT i.*, ($2::timestamptz[])[1 + (i.id * 7919) % cardinality($2::timestamptz[])] AS dead_at
         FROM installations i WHERE app_id = $1 AND token IS NULL AND push_type <> 'webpush'
       ) gone WHERE dead_at > created_at`,
      [appId, deaths],
    );
    await client.query('COMMIT');
    await client.query('ANALYZE installations');
    await client.query('ANALYZE users');
  } finally {
    await client.end();
  }
}
