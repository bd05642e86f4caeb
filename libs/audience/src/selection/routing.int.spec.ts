import { randomUUID } from 'node:crypto';
import { routeDevice, type PushVendor, type Reach, type RoutableDevice } from '@postrider/domain';
import { parameter, rows, sql } from '@postrider/persistence';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { RoutingSql } from './routing-sql';

const REACHES: Reach[] = ['any', 'live', 'inApp', 'notify'];
const CONFIGURED = ['fcm', 'apns', 'sms'];

/** Every combination of the facts that routing reads. */
const DEVICES: RoutableDevice[] = [true, false].flatMap((isProved) =>
  [true, false].flatMap((isConnected) =>
    [true, false].flatMap((usesConnection) =>
      (['fcm', 'apns', 'hms', 'webpush', null] as (PushVendor | null)[]).flatMap((pushType) =>
        [true, false].flatMap((hasToken) =>
          [null, 'ALLOWED', 'DENIED', 'ERR'].map((tokenStatus) => ({
            isProved,
            isConnected,
            usesConnection,
            pushType,
            hasToken,
            tokenStatus,
          })),
        ),
      ),
    ),
  ),
);

describe('the routing of one device', () => {
  let database: ThrowAwayDatabase;
  const ids: string[] = [];

  beforeAll(async () => {
    database = await createThrowAwayDatabase();
    const query = (sql: string, values: unknown[] = []): Promise<Record<string, string>[]> =>
      database.dataSource.query(sql, values);
    for (const app of ['shop', 'other']) {
      await query(`INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ($1, 'Shop', '')`, [app]);
    }
    for (const vendor of CONFIGURED) {
      await query(`INSERT INTO vendor_credentials (app_id, vendor, settings, sealed) VALUES ('shop', $1, '{}', '')`, [
        vendor,
      ]);
    }
    await query(`INSERT INTO vendor_credentials (app_id, vendor, settings, sealed) VALUES ('other', 'hms', '{}', '')`);
    await query(`INSERT INTO edges (edge_id, heartbeat_at) VALUES ('alive', now() + interval '1 hour')`);
    await query(`INSERT INTO edges (edge_id, heartbeat_at) VALUES ('dead', now() - interval '7 seconds')`);
    for (const device of DEVICES) {
      const [row] = await query(
        `INSERT INTO installations (app_id, installation_id, user_id, realtime, push_type, token, token_status, user_proof)
         VALUES ('shop', $1, 'ann', $2, $3, $4, $5, $6) RETURNING id`,
        [
          randomUUID(),
          device.usesConnection,
          device.pushType,
          device.hasToken ? randomUUID() : null,
          device.tokenStatus,
          device.isProved ? 2 : 0,
        ],
      );
      ids.push(row!.id!);
      // A device on a dead edge counts as not connected, and so does one of another application.
      await query(
        `INSERT INTO presence (app_id, id, edge_id, epoch) VALUES ('shop', $1, $2, 1), ('other', $1, 'alive', 1)`,
        [row!.id, device.isConnected ? 'alive' : 'dead'],
      );
    }
  });

  afterAll(() => database.drop());

  const check = async (reach: Reach, isRequired: boolean): Promise<void> => {
    const app = parameter('shop');
    const routing = new RoutingSql(reach, app);
    const found = await rows<{ id: string; vendor: string | null; reason: string; reachable: boolean | null }>(
      database.dataSource,
      sql`SELECT i.id, ${routing.vendor} AS vendor, ${routing.reason} AS reason, ${routing.isReachable} AS reachable
          FROM installations i ${routing.join} WHERE i.app_id = ${app}`,
    );
    const byId = new Map(found.map((row) => [row.id, row]));
    const inSql = ids.map((id) => {
      const row = byId.get(id);
      if (!row) return { kind: 'not_addressed', reason: 'not_connected' };
      expect(row.reachable ?? false).toBe(row.vendor !== null);
      return row.vendor ? { kind: 'reachable', vendor: row.vendor } : { kind: 'skipped', reason: row.reason };
    });
    const facts = DEVICES.map((device) => ({ ...device, isProved: device.isProved || !isRequired }));
    expect(inSql).toEqual(facts.map((device) => routeDevice(device, reach, CONFIGURED)));
  };

  it.each(REACHES)('is the same in SQL and in the domain for reach "%s"', async (reach) => {
    await check(reach, false);
  });

  it.each(REACHES)('leaves out who has not proved their user where it is required, for reach "%s"', async (reach) => {
    await database.dataSource.query(
      `UPDATE applications SET require_user_hash = true, user_hash_required_at = now() WHERE app_id = 'shop'`,
    );
    await check(reach, true);
    await database.dataSource.query(`UPDATE applications SET require_user_hash = false WHERE app_id = 'shop'`);
  });
});
