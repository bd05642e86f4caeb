import { newId } from '@postrider/platform';
import { createShop, createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { explainMissing } from './explain-missing';

describe('what PostgreSQL knows of messages that are missing', () => {
  let database: ThrowAwayDatabase;

  beforeAll(async () => {
    database = await createThrowAwayDatabase();
    await createShop(database.dataSource, 3);
  });
  afterAll(() => database.drop());

  it('is the state of the delivery, or how far the message came', async () => {
    const query = (text: string, values: unknown[]): Promise<unknown> => database.dataSource.query(text, values);
    const devices: { id: string; token: string }[] = await database.dataSource.query(
      `SELECT id, token FROM installations ORDER BY id`,
    );
    const send = async (text: string): Promise<string> => {
      const id = newId();
      await query(
        `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, count, resolve_ceiling, accepted_at, expires_at)
         VALUES ('shop', $1, 'users', false, 'transactional', '{}', 'public/default', jsonb_build_object('content', $2::text), 1, 0, now(), now())`,
        [id, text],
      );
      return id;
    };
    const refused = await send('refused');
    await send('only accepted');
    for (const { id } of devices.slice(0, 2))
      await query(
        `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor, error_code, reason, created_at, updated_at)
         VALUES ('shop', $1, $2, 'failed', 1, 'fcm', 'INVALID_ARGUMENT', 'bad ttl', now(), now())`,
        [refused, id],
      );
    const [one, two] = devices.map(({ token }) => token) as [string, string];
    const missing = [
      { text: 'refused', token: one, at: 0 },
      { text: 'refused', token: two, at: 0 },
      { text: 'only accepted', token: one, at: 0 },
    ];
    expect(await explainMissing(database.url, missing)).toEqual([
      { messages: 2, fate: 'delivery failed INVALID_ARGUMENT bad ttl' },
      { messages: 1, fate: 'message accepted, neither page nor delivery' },
    ]);
    expect(await explainMissing(database.url, [])).toEqual([]);
  });
});
