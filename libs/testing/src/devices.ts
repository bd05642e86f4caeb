import { randomUUID } from 'node:crypto';
import type { CredentialVendor, PushVendor } from '@postrider/domain';
import { type Database, rows } from '@postrider/persistence';

/** Sets up an application to send through a vendor, as far as acceptance checks it. */
export async function configureVendor(database: Database, appId: string, vendor: CredentialVendor): Promise<void> {
  await rows(database, `INSERT INTO vendor_credentials (app_id, vendor, settings, sealed) VALUES ($1, $2, '{}', '')`, [
    appId,
    vendor,
  ]);
}

/** Registers a device with a token of `vendor`. @returns its installation id */
export async function addDevice(
  database: Database,
  { appId, userId, vendor = 'fcm', tags = [] }: { appId: string; userId: string; vendor?: PushVendor; tags?: string[] },
): Promise<string> {
  const installationId = randomUUID();
  await rows(
    database,
    `INSERT INTO installations (app_id, installation_id, user_id, device_type, push_type, token, tags)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [appId, installationId, userId, vendor === 'apns' ? 'ios' : 'android', vendor, randomUUID(), tags],
  );
  return installationId;
}
