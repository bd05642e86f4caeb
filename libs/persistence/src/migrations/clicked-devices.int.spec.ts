import { newId } from '@postrider/platform';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { ClickedDevices1795478480000 } from './20261125-a-clicked-devices';

const HOUR_MS = 3_600_000;

describe('the migration that counts devices that clicked', () => {
  let throwAway: ThrowAwayDatabase;

  beforeAll(async () => (throwAway = await createThrowAwayDatabase()));
  afterAll(() => throwAway.drop());

  it('counts each device of earlier clicks once, in the hour of its first, and nothing when it runs again', async () => {
    const database = throwAway.dataSource;
    const query = <T>(text: string, values: unknown[] = []): Promise<T[]> => database.query(text, values);
    await query(`INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('shop', 'Shop', '')`);
    const [ios] = await query<{ id: string }>(
      `INSERT INTO installations (app_id, installation_id, user_id, device_type)
       VALUES ('shop', gen_random_uuid(), 'ada', 'ios') RETURNING id::text`,
    );
    const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    const messageId = newId(new Date(hour));
    const at = (minutes: number): Date => new Date(hour + minutes * 60_000);
    for (const [device, kind, name, first] of [
      [ios?.id, 'action', 'yes', at(70)],
      [ios?.id, 'action', 'no', at(5)],
      [ios?.id, 'link', 'https://shop.example', at(200)],
      // Deleted meanwhile. By the device's clock the click was before the message.
      ['9999', 'link', 'https://shop.example', at(-90)],
    ]) {
      await query(
        `INSERT INTO delivery_clicks (app_id, message_id, device_id, kind, name_key, name, first_at)
         VALUES ('shop', $1, $2, $3::text, convert_to($4, 'UTF8'), $4, $5)`,
        [messageId, device, kind, name, first],
      );
    }
    for (let times = 0; times < 2; times++) {
      const runner = database.createQueryRunner();
      await new ClickedDevices1795478480000().up(runner);
      await runner.release();
      expect(
        await query(`SELECT kind, hour, platform, name, count::int FROM message_counts ORDER BY platform`),
      ).toEqual([
        { kind: 'clicked', hour: new Date(hour), platform: 'ios', name: null, count: 1 },
        { kind: 'clicked', hour: new Date(hour), platform: 'other', name: null, count: 1 },
      ]);
    }
    const firsts = await query(
      `SELECT device_id, first_at FROM delivery_clicks WHERE kind = 'clicked' ORDER BY first_at`,
    );
    expect(firsts).toEqual([
      { device_id: '9999', first_at: at(-90) },
      { device_id: ios?.id, first_at: at(5) },
    ]);
  });
});
