import { type ClaimedPage, WaitingDeliveriesRepository, type PageKey, PagesRepository } from '@postrider/persistence';
import type { DeviceId } from '@postrider/domain';
import { newId } from '@postrider/platform';
import { untilTrue } from '@postrider/testing';
import { WaitingReader } from './waiting/waiting-reader.service';
import { createTestLedger, type TestDevice, type TestEdge, type TestLedger } from './testing/test-edge';
import { RawDevice } from './testing/raw-device';

let ledger: TestLedger;
let edge: TestEdge;
const sockets: RawDevice[] = [];

beforeAll(async () => {
  ledger = await createTestLedger();
  await ledger.application('shop');
  await query(`INSERT INTO vendor_credentials (app_id, vendor, settings, sealed) VALUES ('shop', 'fcm', '{}', '')`);
  edge = await ledger.startEdge();
});
afterAll(() => ledger.close());
afterEach(async () => {
  for (const { socket } of sockets.splice(0)) socket.destroy();
  await query(`DELETE FROM installations`);
});

const query = <T>(text: string, values: unknown[] = []): Promise<T[]> => ledger.database.query(text, values);
/** A phone that FCM reaches and that also uses its connection. */
const phoneOf = (userId: string): Promise<TestDevice> =>
  ledger.device('shop', userId, { realtime: true, push_type: 'fcm', token: `token of ${userId}` });
const pagesOf = (messageId: string): Promise<{ id: string; state: string; vendor: string; fence: number }[]> =>
  query(`SELECT id, state, vendor, fence FROM pages WHERE message_id = $1`, [messageId]);
const keyOf = async (messageId: string): Promise<PageKey> => {
  const [page] = await query<{ id: string }>(`SELECT id FROM pages WHERE message_id = $1 AND state <> 'finished'`, [
    messageId,
  ]);
  return { appId: 'shop', messageId, pageId: page?.id ?? '' };
};
const takeInHand = async (messageId: string): Promise<ClaimedPage | null> => {
  const now = new Date();
  const leaseUntil = new Date(now.getTime() + 60_000);
  return new PagesRepository(ledger.database).claim(await keyOf(messageId), { leasedBy: 'worker', now, leaseUntil });
};
const claim = async (messageId: string): Promise<DeviceId[] | undefined> =>
  (await takeInHand(messageId))?.devices.map(({ id }) => id);
/** The worker ends its page: with the push service's answers, with another attempt, or with nothing. */
const settle = async (
  messageId: string,
  { fence }: { fence: number },
  { sent = [], retried = [], left = [] }: { sent?: DeviceId[]; retried?: DeviceId[]; left?: DeviceId[] },
): Promise<void> => {
  const now = new Date();
  const recorded = {
    deviceIds: sent,
    states: sent.map(() => 'sent' as const),
    vendorMessageIds: sent.map(() => 'id'),
    errorCodes: sent.map(() => null),
    reasons: sent.map(() => null),
    times: sent.map(() => now.getTime()),
  };
  const notBefore = new Date(now.getTime() + 3_600_000);
  const retries = retried.length === 0 ? [] : [{ id: newId(), deviceIds: retried, isUnanswered: true, notBefore }];
  const remainder = left.length === 0 ? null : { deviceIds: left, notBefore, forgetsFirstAttempt: false };
  const settlement = { recorded, retries, remainder, now, lastCallAt: new Date(now.getTime() + 7_200_000) };
  const page = { ...(await keyOf(messageId)), fence, connectionDeviceIds: sent };
  expect(await new PagesRepository(ledger.database).settle(ledger.database, page, settlement)).toBe(true);
};
const connected = async (device: TestDevice): Promise<RawDevice> => {
  const { device: phone, returnCode } = await RawDevice.connect(edge.ports.mqtt, device);
  expect(returnCode).toBe(0);
  sockets.push(phone);
  await phone.subscribe(device.ownTopic);
  return phone;
};
const acknowledgeAll = async (phone: RawDevice, messageId: string): Promise<void> => {
  for (const { messageId: packetId } of phone.published) phone.acknowledge(packetId);
  await untilTrue(async () => (await ledger.states(messageId)).some(({ state }) => state === 'delivered'));
};

describe('a message that waits for a push service, while no worker has its page in hand', () => {
  it('comes when the device connects, and whoever claims the page then leaves the device out', async () => {
    const device = await phoneOf('ann');
    const other = await phoneOf('bob');
    const id = await ledger.send('shop', ['ann', 'bob']);
    expect(await pagesOf(id)).toMatchObject([{ state: 'waiting', vendor: 'fcm', fence: 0 }]);
    const phone = await connected(device);
    await untilTrue(() => phone.ids.includes(id));
    await acknowledgeAll(phone, id);
    expect(phone.ids).toEqual([id]);
    expect(await claim(id)).toEqual([other.deviceId]);
  });

  it('is still pushed to a device that has not acknowledged it, and counts once', async () => {
    const device = await phoneOf('cleo');
    const id = await ledger.send('shop', ['cleo']);
    const phone = await connected(device);
    await untilTrue(() => phone.ids.includes(id));
    expect(await ledger.states(id)).toMatchObject([{ state: 'pending', vendor: 'fcm' }]);
    expect(await claim(id)).toEqual([device.deviceId]);
  });

  it('comes to no later owner, and not before its time', async () => {
    const device = await phoneOf('dora');
    const paced = await ledger.send('shop', ['dora']);
    await query(`UPDATE pages SET is_steered = true WHERE message_id = $1`, [paced]);
    const later = await ledger.send('shop', ['dora']);
    await query(`UPDATE pages SET not_before = now() + interval '1 hour' WHERE message_id = $1`, [later]);
    const cancelled = await ledger.send('shop', ['dora']);
    await query(`UPDATE messages SET status = 'cancelled' WHERE id = $1`, [cancelled]);
    const notice = await ledger.send('shop', ['dora']);
    await query(`UPDATE messages SET kind = 'notify' WHERE id = $1`, [notice]);
    await ledger.send('shop', ['dora'], { ofUsers: ['eve'] });
    await query(`UPDATE installations SET user_since = now() WHERE id = $1`, [device.deviceId]);
    const last = await ledger.send('shop', ['dora']);
    const phone = await connected(device);
    await untilTrue(() => phone.ids.includes(last));
    edge.get(WaitingReader).requestAll();
    await acknowledgeAll(phone, last);
    expect(phone.ids).toEqual([last]);
  });
});

describe('a message that a worker has in hand, and the push service says nothing', () => {
  it('comes when the device connects, and what the service says in the end changes nothing any more', async () => {
    const device = await phoneOf('fay');
    const other = await phoneOf('gil');
    const id = await ledger.send('shop', ['fay', 'gil']);
    const page = await takeInHand(id);
    const phone = await connected(device);
    await untilTrue(() => phone.ids.includes(id));
    expect(await ledger.states(id)).toMatchObject([{ state: 'pending', vendor: 'fcm' }]);
    await acknowledgeAll(phone, id);
    await settle(id, page as ClaimedPage, { sent: [device.deviceId, other.deviceId] });
    expect(await ledger.states(id)).toMatchObject([{ state: 'delivered' }, { state: 'sent' }]);
    edge.get(WaitingReader).requestAll();
    const late = await connected(other);
    await untilTrue(() => late.ids.includes(id));
    expect(phone.ids).toEqual([id]);
  });

  it('comes once, and is not sent again to who acknowledged it, when the page is given back or tried again', async () => {
    const [device, other] = [await phoneOf('hal'), await phoneOf('ida')];
    const devices = [device.deviceId, other.deviceId];
    const id = await ledger.send('shop', ['hal', 'ida']);
    const page = await takeInHand(id);
    const phone = await connected(device);
    await untilTrue(() => phone.ids.includes(id));
    await acknowledgeAll(phone, id);
    await settle(id, page as ClaimedPage, { retried: devices });
    await query(`UPDATE pages SET not_before = NULL WHERE message_id = $1`, [id]);
    expect(await claim(id)).toEqual([other.deviceId]);
  });

  it.each([
    ['is tried again later', (devices: DeviceId[]) => ({ retried: devices })],
    ['waits with its route', (devices: DeviceId[]) => ({ left: devices })],
  ])('comes to a device that begins to use its connection while the page %s', async (_, end) => {
    const device = await phoneOf('kim');
    await query(`UPDATE installations SET realtime = false WHERE id = $1`, [device.deviceId]);
    const id = await ledger.send('shop', ['kim']);
    await settle(id, (await takeInHand(id)) as ClaimedPage, end([device.deviceId]));
    expect(await ledger.states(id)).toEqual([]);
    const phone = await connected(device);
    await untilTrue(() => phone.ids.includes(id));
  });

  it('is not missed because its page is locked at that very moment', async () => {
    const device = await phoneOf('leo');
    const id = await ledger.send('shop', ['leo']);
    const { pageId } = await keyOf(id);
    const holder = ledger.database.createQueryRunner();
    await holder.startTransaction();
    await holder.query(`SELECT FROM pages WHERE id = $1 FOR UPDATE`, [pageId]);
    const claiming = takeInHand(id);
    let isKept = false;
    const keeping = new WaitingDeliveriesRepository(ledger.database)
      .keepUnsent([device], new Date())
      .finally(() => (isKept = true));
    const waitsForLock = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await untilTrue(async () => (await query(waitsForLock)).length > 0);
    expect(isKept).toBe(false);
    await holder.rollbackTransaction();
    await holder.release();
    await Promise.all([claiming, keeping]);
    expect(await ledger.states(id)).toMatchObject([{ state: 'pending', vendor: 'fcm' }]);
  });
});
