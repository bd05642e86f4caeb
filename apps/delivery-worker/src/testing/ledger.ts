import type { DeviceId, DeliveryState, JsonObject, Lane } from '@postrider/domain';
import { findPackedDetails, type PageKey, rows } from '@postrider/persistence';
import { newId } from '@postrider/platform';
import type { ThrowAwayDatabase } from '@postrider/testing';

/** The application of every test. */
export const APP_ID = 'shop';

/** What a test's message looks like. */
interface TestMessage {
  devices: DeviceId[];
  acceptedAt: Date;
  ttlSeconds?: number;
  lane?: Lane;
  attempt?: number;
  content?: JsonObject;
}

/** Writes the rows that the gateway and the audience worker write, and reads the rows of the delivery worker. */
export class Ledger {
  constructor(private readonly database: ThrowAwayDatabase) {}

  /** Makes the application. */
  async addApplication(): Promise<void> {
    await this.run(`INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ($1, 'Shop', '')`, [APP_ID]);
  }

  /** Registers devices with FCM tokens `t1`, `t2`, … in order. @returns their ids */
  async addDevices(count: number, since: Date): Promise<DeviceId[]> {
    const added = await this.run<{ id: DeviceId }>(
      `INSERT INTO installations (app_id, installation_id, user_id, user_since, device_type, push_type, token,
         token_registered_at)
       SELECT $1, gen_random_uuid(), 'user' || n, $3, 'android', 'fcm', 't' || n, $3::timestamptz + interval '17 us'
       FROM generate_series(1, $2::int) n ORDER BY n
       RETURNING id`,
      [APP_ID, count, since],
    );
    return added.map(({ id }) => id);
  }

  /** Accepts a message, resolved, with one waiting page of its devices. */
  async addMessage({
    devices,
    acceptedAt,
    ttlSeconds = 3_600,
    lane = 'campaign',
    attempt = 1,
    content = { content: 'hello' },
  }: TestMessage): Promise<PageKey> {
    const messageId = newId(acceptedAt);
    const expiresAt = new Date(acceptedAt.getTime() + ttlSeconds * 1_000);
    await this.run(
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, count, resolve_ceiling,
         resolved_at, accepted_at, expires_at, wake_at)
       VALUES ($1, $2, 'query', true, $3, '{}', 'public/default', $7, $4, 0, $5, $5, $6, $5)`,
      [APP_ID, messageId, lane, devices.length, acceptedAt, expiresAt, content],
    );
    return this.addPage(messageId, devices, lane, attempt);
  }

  async addPage(messageId: string, devices: DeviceId[], lane: Lane = 'campaign', attempt = 1): Promise<PageKey> {
    const pageId = newId();
    await this.run(
      `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, attempt, wake_at)
       VALUES ($1, $2, $3, 'fcm', $4, $5, $6, now())`,
      [APP_ID, messageId, pageId, lane, devices, attempt],
    );
    return { appId: APP_ID, messageId, pageId };
  }

  /** Puts a set of promo codes into force; for the whole application if no campaign is named. */
  async addPromoCodes(codes: string[], trackId = ''): Promise<void> {
    const setId = newId();
    await this.run(
      `INSERT INTO promo_sets (app_id, set_id, track_id, state, total, remaining, created_at, in_force_at)
       VALUES ($1, $2, $3, 'in_force', $4, $4, now(), now())`,
      [APP_ID, setId, trackId, codes.length],
    );
    for (let number = 0; number * 128 < codes.length; number++) {
      const block = codes.slice(number * 128, (number + 1) * 128).join('\n');
      await this.run('INSERT INTO promo_codes VALUES ($1, $2, $3, $4)', [APP_ID, setId, number, block]);
    }
  }

  /** Returns the states by device. */
  async states({ messageId }: PageKey): Promise<Record<DeviceId, DeliveryState>> {
    const found = await this.deliveries(messageId);
    return Object.fromEntries(found.map(({ device_id, state }) => [device_id as DeviceId, state as DeliveryState]));
  }

  /**
   * Returns a message's deliveries as rows of `deliveries`, in the order of their devices, including deliveries that
   * only packs hold.
   */
  async deliveries(messageId: string): Promise<Record<string, unknown>[]> {
    const recorded = await this.run(`SELECT * FROM deliveries WHERE app_id = $1 AND message_id = $2`, [
      APP_ID,
      messageId,
    ]);
    const known = new Set(recorded.map(({ device_id }) => device_id));
    const packed = await this.run<{ device_id: string; vendor: string; language: string | null }>(
      `SELECT unnest(device_ids) AS device_id, vendor, language FROM delivery_packs WHERE app_id = $1 AND message_id = $2`,
      [APP_ID, messageId],
    );
    const only = packed.filter(({ device_id }) => !known.has(device_id));
    const keys = only.map(({ device_id: deviceId }) => ({ messageId, deviceId }));
    const details = await findPackedDetails(this.database.dataSource, APP_ID, keys);
    const unpacked = only.map(({ device_id, vendor, language }, place) => ({
      ...{ app_id: APP_ID, message_id: messageId, device_id, state: 'sent', rank: 2, vendor, attempt: 1 },
      ...{ error_code: null, reason: null, promo_code: null, language },
      vendor_message_id: details[place]?.vendorMessageId,
      sent_at: new Date(details[place]?.sentAt ?? NaN),
    }));
    return [...recorded, ...unpacked].toSorted((one, other) => Number(one['device_id']) - Number(other['device_id']));
  }

  /** Returns a message's pages, first attempts first. */
  pages(messageId: string): Promise<Record<string, unknown>[]> {
    return this.run('SELECT * FROM pages WHERE app_id = $1 AND message_id = $2 ORDER BY attempt, id', [
      APP_ID,
      messageId,
    ]);
  }

  async message(messageId: string): Promise<Record<string, unknown>> {
    const [message] = await this.run('SELECT * FROM messages WHERE app_id = $1 AND id = $2', [APP_ID, messageId]);
    return message ?? {};
  }

  run<Row = Record<string, unknown>>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return rows<Row>(this.database.dataSource, sql, parameters);
  }
}
