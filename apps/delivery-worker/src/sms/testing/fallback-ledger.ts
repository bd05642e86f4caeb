import { type DeviceId, deliveryStateRank, type DeliveryState, type Fallback } from '@postrider/domain';
import { FallbacksRepository, type MessageKey, ReceiptsRepository, rows } from '@postrider/persistence';
import { newId } from '@postrider/platform';
import type { ThrowAwayDatabase } from '@postrider/testing';

/** The application of every test. */
export const APP_ID = 'shop';

/** What a test's message looks like. */
interface TestFallback extends Partial<Fallback> {
  users: string[];
  acceptedAt: Date;
  ttlSeconds?: number;
  channel?: string;
}

/** Writes the rows that the gateway writes, and reads the rows of the delivery worker. */
export class FallbackLedger {
  constructor(private readonly database: ThrowAwayDatabase) {}

  async addApplication(defaultRegion: string | null = null): Promise<void> {
    await this.run(
      `INSERT INTO applications (app_id, name, identity_key_sealed, default_region) VALUES ($1, 'Shop', '', $2)`,
      [APP_ID, defaultRegion],
    );
  }

  async addUser(userId: string, attributes: object = {}): Promise<void> {
    await this.run(`INSERT INTO users (app_id, user_id, attributes) VALUES ($1, $2, $3)`, [
      APP_ID,
      userId,
      JSON.stringify(attributes),
    ]);
  }

  /** @returns the device's id */
  async addDevice(userId: string, attributes: object = {}, channels: readonly string[] = []): Promise<string> {
    const [added] = await this.run<{ id: string }>(
      `INSERT INTO installations (app_id, installation_id, user_id, device_type, attributes, channels)
       VALUES ($1, gen_random_uuid(), $2, 'android', $3, $4) RETURNING id`,
      [APP_ID, userId, JSON.stringify(attributes), channels],
    );
    return added?.id ?? '';
  }

  async addMessage(message: TestFallback): Promise<MessageKey> {
    const { users, acceptedAt, ttlSeconds = 7 * 86_400, channel = 'public/default', ...changes } = message;
    const messageId = newId(acceptedAt);
    const expiresAt = new Date(acceptedAt.getTime() + ttlSeconds * 1_000);
    const fallback: Fallback = { content: 'Your code is 42', media: 'sms', delaySeconds: 60, ...changes };
    await this.run(
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, user_ids, channel, content, count,
         resolve_ceiling, resolved_at, status, accepted_at, expires_at)
       VALUES ($1, $2, 'users', false, 'transactional', '{}', $3, $7, $4, 0, 0, $5, 'done', $5, $6)`,
      [APP_ID, messageId, users, JSON.stringify({ content: 'hello', fallback }), acceptedAt, expiresAt, channel],
    );
    const { dataSource } = this.database;
    await new FallbacksRepository(dataSource).insert(dataSource, [
      { appId: APP_ID, messageId, userIds: users, fallback, startsAt: acceptedAt, expiresAt },
    ]);
    return { appId: APP_ID, messageId };
  }

  /** Records that a vendor took the message for a device. */
  async addDelivery({ messageId }: MessageKey, deviceId: DeviceId, state: DeliveryState = 'sent'): Promise<void> {
    await this.run(
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor) VALUES ($1, $2, $3, $4, $5, 'fcm')`,
      [APP_ID, messageId, deviceId, state, deliveryStateRank(state)],
    );
  }

  /** Does what happens when a device reports. */
  async report(key: MessageKey, deviceId: DeviceId, state: DeliveryState, at: Date): Promise<void> {
    const receipt = {
      ...key,
      deviceId,
      state,
      rank: deliveryStateRank(state),
      deliveredAt: at,
      shownAt: null,
      openedAt: null,
      dismissedAt: null,
    };
    await new ReceiptsRepository(this.database.dataSource).record([receipt], at);
  }

  /** Returns the states by user. */
  async states({ messageId }: MessageKey): Promise<Record<string, string>> {
    const found = await this.fallbacks(messageId);
    return Object.fromEntries(found.map(({ user_id, state }) => [user_id ?? '', state ?? '']));
  }

  fallbacks(messageId: string): Promise<Record<string, string | null>[]> {
    return this.run(`SELECT * FROM fallbacks WHERE app_id = $1 AND message_id = $2 ORDER BY user_id`, [
      APP_ID,
      messageId,
    ]);
  }

  run<Row = Record<string, string | null>>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return rows<Row>(this.database.dataSource, sql, parameters);
  }
}
