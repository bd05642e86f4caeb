import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';

/** Makes the application `shop` with `count` devices, one user each: two of three on FCM, the third on APNs. */
export async function createShop(database: DataSource, count: number): Promise<void> {
  await database.query(`INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('shop', 'Shop', '')`);
  await database.query(
    `INSERT INTO vendor_credentials (app_id, vendor, settings, sealed)
     SELECT 'shop', unnest(ARRAY['fcm', 'apns']), '{}', ''`,
  );
  await database.query(
    `INSERT INTO installations (app_id, installation_id, user_id, user_since, push_type, token)
     SELECT 'shop', gen_random_uuid(), 'user-' || n, 'epoch', CASE WHEN n % 3 = 0 THEN 'apns' ELSE 'fcm' END, $2 || n
     FROM generate_series(1, $1::int) n`,
    [count, randomUUID()],
  );
}
