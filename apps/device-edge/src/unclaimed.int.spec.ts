import { untilTrue } from '@postrider/testing';
import { claimPage, type PageKey } from '@postrider/persistence';
import { Inbox } from './ledger/inbox.service';
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
/** A phone that FCM reaches and that uses its connection as well. */
const phoneOf = (userId: string): Promise<TestDevice> =>
  ledger.device('shop', userId, { realtime: true, push_type: 'fcm', token: `token of ${userId}` });
const pagesOf = (messageId: string): Promise<{ id: string; state: string; vendor: string; fence: number }[]> =>
  query(`SELECT id, state, vendor, fence FROM pages WHERE message_id = $1`, [messageId]);
const claim = async (messageId: string): Promise<number[] | undefined> => {
  const [page] = await pagesOf(messageId);
  const key: PageKey = { appId: 'shop', messageId, pageId: page?.id ?? '' };
  const now = new Date();
  const leaseUntil = new Date(now.getTime() + 60_000);
  const claimed = await claimPage(ledger.database, key, { leasedBy: 'worker', now, leaseUntil });
  return claimed?.devices.map(({ id }) => id);
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

describe('a message that waits for a push service while no worker has its page in hand', () => {
  it('comes when the device connects, and whoever claims the page then leaves the device out', async () => {
    const device = await phoneOf('ann');
    const other = await phoneOf('bob');
    const id = await ledger.send('shop', ['ann', 'bob']);
    expect(await pagesOf(id)).toMatchObject([{ state: 'waiting', vendor: 'fcm', fence: 0 }]);
    const phone = await connected(device);
    await untilTrue(() => phone.ids.includes(id));
    await acknowledgeAll(phone, id);
    expect(phone.ids).toEqual([id]);
    expect(await claim(id)).toEqual([Number(other.deviceId)]);
  });

  it('is still pushed to a device that has not acknowledged it, and counts once', async () => {
    const device = await phoneOf('cleo');
    const id = await ledger.send('shop', ['cleo']);
    const phone = await connected(device);
    await untilTrue(() => phone.ids.includes(id));
    expect(await ledger.states(id)).toMatchObject([{ state: 'pending', vendor: 'fcm' }]);
    expect(await claim(id)).toEqual([Number(device.deviceId)]);
  });

  it('comes to no device whose worker has it in hand, to no later owner, and not before its time', async () => {
    const device = await phoneOf('dora');
    const inHand = await ledger.send('shop', ['dora']);
    expect(await claim(inHand)).toEqual([Number(device.deviceId)]);
    const paced = await ledger.send('shop', ['dora']);
    await query(`UPDATE pages SET is_steered = true WHERE message_id = $1`, [paced]);
    const later = await ledger.send('shop', ['dora']);
    await query(`UPDATE pages SET not_before = now() + interval '1 hour' WHERE message_id = $1`, [later]);
    const cancelled = await ledger.send('shop', ['dora']);
    await query(`UPDATE messages SET status = 'cancelled' WHERE id = $1`, [cancelled]);
    const notice = await ledger.send('shop', ['dora']);
    await query(`UPDATE messages SET kind = 'notify' WHERE id = $1`, [notice]);
    const ofFormer = await ledger.send('shop', ['dora']);
    await query(`UPDATE messages SET user_ids = '{eve}' WHERE id = $1`, [ofFormer]);
    await query(`UPDATE installations SET user_since = now() WHERE id = $1`, [device.deviceId]);
    const last = await ledger.send('shop', ['dora']);
    const phone = await connected(device);
    await untilTrue(() => phone.ids.includes(last));
    edge.get(Inbox).sweep();
    await acknowledgeAll(phone, last);
    expect(phone.ids).toEqual([last]);
  });
});
