import type { DeviceId } from '@postrider/domain';
import { newId } from '@postrider/platform';
import {
  countWaiting,
  createShop,
  createThrowAwayDatabase,
  type ThrowAwayDatabase,
  untilTrue,
  whileHolding,
} from '@postrider/testing';
import { type Database, rows } from '../database/executor';
import { PagesRepository } from '../pages/pages.repository';
import { combineReceipts } from '../receipts/receipt';
import { ReceiptsRepository } from '../receipts/receipts.repository';
import { ErasedUsersRepository } from './erased-users.repository';

const HOUR_MS = 3_600_000;

describe('the erasure of a packed delivery', () => {
  let throwAway: ThrowAwayDatabase;
  let database: Database;
  let deviceId: DeviceId;
  const [messageId, at] = [newId(), new Date()];

  beforeAll(async () => {
    throwAway = await createThrowAwayDatabase();
    database = throwAway.dataSource;
    await createShop(database, 1);
    const [device] = await rows<{ id: DeviceId }>(database, `SELECT id::text AS id FROM installations`);
    deviceId = device?.id ?? '';
    await rows(
      database,
      `INSERT INTO messages (app_id, id, kind, is_campaign, lane, audience, channel, content, count, resolve_ceiling,
         resolved_at, accepted_at, expires_at, wake_at)
       VALUES ('shop', $1, 'query', true, 'campaign', '{}', 'public/default', '{}', 1, 0, $2, $2, $3, $2)`,
      [messageId, at, new Date(at.getTime() + HOUR_MS)],
    );
    const page = { appId: 'shop', messageId, pageId: newId() };
    await rows(
      database,
      `INSERT INTO pages (app_id, message_id, id, vendor, lane, device_ids, wake_at)
       VALUES ('shop', $1, $2, 'fcm', 'campaign', $3, $4)`,
      [messageId, page.pageId, [deviceId], at],
    );
    const pages = new PagesRepository(database);
    await pages.claim(page, { leasedBy: 'worker', now: at, leaseUntil: at });
    const sent = {
      ...{ deviceIds: [deviceId], states: ['sent' as const], vendorMessageIds: ['m-1'] },
      ...{ errorCodes: [null], reasons: [null], times: [at.getTime()] },
    };
    await pages.flushPacked({ ...page, fence: 1 }, sent, at, false);
    await rows(database, `UPDATE pages SET state = 'finished', wake_at = NULL, leased_by = NULL`);
    await rows(database, `INSERT INTO inbox_marks (app_id, device_id, message_id) VALUES ('shop', $1, $2)`, [
      deviceId,
      messageId,
    ]);
  });
  afterAll(() => throwAway.drop());

  it('leaves nothing of the device behind that reports the message at this moment', async () => {
    const user = { appId: 'shop', userId: 'user-1', erasureId: newId(), pattern: 'user-1' };
    const report = { messageId, kind: 'opened', at } as const;
    await whileHolding(
      database,
      // The erasure waits for this row in its middle, and the report waits for the erasure.
      (held) => held.query(`SELECT FROM inbox_marks WHERE message_id = $1 FOR UPDATE`, [messageId]),
      async () => {
        const erasing = new ErasedUsersRepository(database).eraseDeliveriesOf(user, [deviceId], 10);
        await untilTrue(async () => (await countWaiting(database)) === 1);
        const receipts = combineReceipts({ appId: 'shop', deviceId }, [report], at);
        await Promise.all([erasing, new ReceiptsRepository(database).record(receipts, at)]);
      },
      2,
    );
    expect(await rows(database, `SELECT FROM deliveries WHERE device_id = $1`, [deviceId])).toEqual([]);
    expect(await rows(database, `SELECT state, is_packed FROM deliveries`)).toEqual([
      { state: 'sent', is_packed: null },
    ]);
  });
});
