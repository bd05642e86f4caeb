import type { DeviceId } from '@postrider/domain';
import { newId } from '@postrider/platform';
import { createShop, createThrowAwayDatabase, type ThrowAwayDatabase, whileHolding } from '@postrider/testing';
import { type Database, rows } from '../database/executor';
import { WaitingDeliveriesRepository } from '../waiting/waiting-deliveries.repository';
import { MessagesRepository } from './messages.repository';

const HOUR_MS = 3_600_000;

describe('deliveries that wait for a connection, of a message that ends', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;
  let messages: MessagesRepository;
  let deviceId: DeviceId;

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    database = throwAway.dataSource;
    messages = new MessagesRepository(database);
    await createShop(database, 1);
    const [device] = await rows<{ id: DeviceId }>(database, `SELECT id::text AS id FROM installations`);
    deviceId = device?.id ?? '';
  });
  afterAll(() => throwAway.drop());

  async function addMessage(inboxEndsAt: Date | null): Promise<string> {
    const [id, at] = [newId(), new Date()];
    await rows(
      database,
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, count, resolve_ceiling,
         accepted_at, expires_at, inbox_ends_at)
       VALUES ('shop', $1, 'query', true, 'campaign', '{}', 'public/default', '{}', 1, 1, $2, $3, $4)`,
      [id, at, new Date(at.getTime() + HOUR_MS), inboxEndsAt],
    );
    return id;
  }

  /** Does what the task does every second. */
  async function endWaits(): Promise<void> {
    const now = new Date();
    for (const wait of await messages.findEndedWaits(now, 10)) await messages.endWaiting(wait, now, 10);
  }

  const statesOf = async (messageId: string): Promise<string[]> =>
    (await rows<{ state: string }>(database, `SELECT state FROM deliveries WHERE message_id = $1`, [messageId])).map(
      ({ state }) => state,
    );

  it('end too when they are being written while the first ones are ended', async () => {
    const messageId = await addMessage(new Date());
    await whileHolding(
      database,
      async (held) => {
        // A worker resolves another part of the audience: it holds the message, and writes deliveries that wait.
        await held.query(`UPDATE messages SET resolved_through = 1 WHERE id = $1`, [messageId]);
        await held.query(
          `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor)
           VALUES ('shop', $1, $2, 'pending', 0, 'connection')`,
          [messageId, deviceId],
        );
      },
      endWaits,
    );
    await endWaits();
    expect(await statesOf(messageId)).toEqual(['expired']);
  });

  it('end at once when their page is opened while the message is being cancelled', async () => {
    const [messageId, pageId] = [await addMessage(null), newId()];
    const at = new Date();
    await rows(
      database,
      `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, wake_at)
       VALUES ('shop', $1, $2, 'connection', 'campaign', $3, $4)`,
      [messageId, pageId, [deviceId], at],
    );
    const page = { appId: 'shop', messageId, pageId };
    await whileHolding(
      database,
      (held) => messages.cancel(held, page, at),
      () => new WaitingDeliveriesRepository(database).openConnectionPages({ pages: [page], capped: [] }, at),
    );
    await endWaits();
    expect(await statesOf(messageId)).toEqual(['cancelled']);
  });
});
