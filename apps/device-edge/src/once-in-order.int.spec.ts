import { untilTrue } from '@postrider/testing';
import type { Database } from '@postrider/persistence';
import { EDGE_ID } from './runtime/edge-id';
import { EdgePages } from './outcomes/edge-pages.service';
import { WaitingReader } from './waiting/waiting-reader.service';
import { MessageCache } from './waiting/message-cache.service';
import { SessionRegistry } from './session/session-registry';
import { RawDevice } from './testing/raw-device';
import { createTestLedger, type TestDevice, type TestEdge, type TestLedger } from './testing/test-edge';

let ledger: TestLedger;
let edge: TestEdge;
const sockets: RawDevice[] = [];

beforeAll(async () => {
  ledger = await createTestLedger();
  await ledger.application('shop');
  edge = await ledger.startEdge();
});
afterAll(() => ledger.close());
afterEach(async () => {
  for (const { socket } of sockets.splice(0)) socket.destroy();
  await ledger.database.query(`DELETE FROM installations`);
});

const query = <T>(text: string, values: unknown[] = []): Promise<T[]> => ledger.database.query(text, values);
const connected = async (device: TestDevice, on = edge): Promise<RawDevice> => {
  const { device: phone, returnCode } = await RawDevice.connect(on.ports.mqtt, device);
  expect(returnCode).toBe(0);
  sockets.push(phone);
  return phone;
};
/** Acknowledges each message at once, as a client library does. */
const acknowledging = (phone: RawDevice): RawDevice => {
  let acknowledged = 0;
  const acknowledgeNew = (): void => {
    for (const { messageId } of phone.published.slice(acknowledged)) {
      phone.acknowledge(messageId);
      acknowledged++;
    }
  };
  phone.socket.on('data', acknowledgeNew);
  // The first message may have come together with the answer to CONNECT.
  acknowledgeNew();
  return phone;
};
const isDelivered = async (messageId: string): Promise<boolean> =>
  (await ledger.states(messageId)).some(({ state }) => state === 'delivered');
/** The device subscribed to its own topic in an earlier connection. */
const keepSession = (device: TestDevice): Promise<unknown> =>
  query(`INSERT INTO connection_sessions (app_id, id, user_id, subscriptions) VALUES ($1, $2, $3, $4)`, [
    device.appId,
    device.deviceId,
    device.userId,
    { [device.ownTopic]: 1 },
  ]);
/** The next sends to the device are routed to the edge, before it is connected there. */
const present = (device: TestDevice, edgeId: string): Promise<unknown> =>
  query(`INSERT INTO presence (app_id, id, edge_id, epoch) VALUES ($1, $2, $3, nextval('presence_epochs'))`, [
    device.appId,
    device.deviceId,
    edgeId,
  ]);
/** The same message and its page this many times, accepted one after the other. @returns their ids, the first one too */
const copyHeld = async (messageId: string, times: number): Promise<string[]> => {
  for (const [table, id] of [
    ['messages', 'id'],
    ['pages', 'message_id'],
  ]) {
    await query(
      `INSERT INTO ${table} SELECT (copied).* FROM ${table}, generate_series(1, $2 - 1) AS n, jsonb_populate_record(${table},
         jsonb_build_object('id', gen_random_uuid()) || jsonb_build_object($3::text, left($1::text, 24) || lpad(to_hex(n), 12, '0'))
       ) AS copied WHERE ${table}.${id} = $1::uuid`,
      [messageId, times, id],
    );
  }
  const copies = await query<{ id: string }>(`SELECT message_id AS id FROM pages WHERE message_id >= $1 ORDER BY 1`, [
    `${messageId.slice(0, 24)}000000000000`,
  ]);
  return copies.map(({ id }) => id);
};
const hold = async (rows: string, values: unknown[]): Promise<ReturnType<Database['createQueryRunner']>> => {
  const holder = ledger.database.createQueryRunner();
  await holder.startTransaction();
  await holder.query(`SELECT FROM ${rows} FOR UPDATE`, values);
  return holder;
};
/** Locks the page of a message: outcomes of the page have to wait. */
const holdPage = (messageId: string): ReturnType<typeof hold> => hold(`pages WHERE message_id = $1`, [messageId]);
const isWaitedFor = async (): Promise<boolean> =>
  (
    await query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
  ).length > 0;
/** Whether the edge knows all devices of the message's page that have no outcome. */
const isReadWhole = async (messageId: string): Promise<boolean> => {
  const pages = await query<{ id: string }>(`SELECT id FROM pages WHERE message_id = $1`, [messageId]);
  return pages.some(({ id }) => edge.get(EdgePages).knownPageIds.includes(id));
};
/** Makes the edge read everything that waits, often enough that it forgets what it remembers of earlier reads. */
const readAgain = async (phone: RawDevice, userId: string, on = edge): Promise<string[]> => {
  const ids: string[] = [];
  for (let round = 0; round < 4; round++) {
    on.get(WaitingReader).requestAll();
    const id = await ledger.send('shop', [userId]);
    ids.push(id);
    await untilTrue(() => phone.ids.includes(id));
    await untilTrue(() => isDelivered(id));
  }
  return ids;
};

describe('a message that is acknowledged on a connection that goes on', () => {
  it('is not sent again when its page was read whole while the acknowledgement was being written', async () => {
    const device = await ledger.device('shop', 'ann');
    await keepSession(device);
    await present(device, edge.get<string>(EDGE_ID));
    const id = await ledger.send('shop', ['ann'], { isHinted: false });
    // The gateway's clock is ahead: a page that is young by one clock is not by the other.
    await query(`UPDATE pages SET created_at = now() + interval '1 minute' WHERE message_id = $1`, [id]);
    const holder = await holdPage(id);
    const phone = acknowledging(await connected(device));
    await untilTrue(() => phone.ids.length === 1);
    await untilTrue(isWaitedFor);
    edge.get(WaitingReader).requestAll();
    await untilTrue(() => isReadWhole(id));
    await holder.rollbackTransaction();
    await holder.release();
    await untilTrue(() => isDelivered(id));
    const later = await readAgain(phone, 'ann');
    expect(phone.ids).toEqual([id, ...later]);
    // A statement of its own deletes the page, after the one that records the acknowledgement.
    await untilTrue(async () => (await query(`SELECT FROM pages WHERE message_id = $1`, [id])).length === 0);
  });

  it('is not sent again when the device was on another edge meanwhile, and acknowledged it there', async () => {
    const elsewhere = await ledger.startEdge();
    const device = await ledger.device('shop', 'bob');
    await keepSession(device);
    const first = await connected(device);
    const id = await ledger.send('shop', ['bob']);
    await untilTrue(() => first.ids.length === 1);
    edge.get(WaitingReader).requestAll();
    await untilTrue(() => isReadWhole(id));
    const second = acknowledging(await connected(device, elsewhere));
    await untilTrue(() => isDelivered(id));
    expect(second.ids).toEqual([id]);
    const third = acknowledging(await connected(device));
    const later = await readAgain(third, 'bob');
    expect(third.ids).toEqual(later);
    await elsewhere.stop();
  });

  it('is not sent again on the next connection, which comes while the acknowledgement is being written', async () => {
    const device = await ledger.device('shop', 'cleo');
    await keepSession(device);
    const first = await connected(device);
    const id = await ledger.send('shop', ['cleo']);
    await untilTrue(() => first.ids.length === 1);
    const holder = await holdPage(id);
    first.acknowledge(first.published[0]?.messageId);
    await untilTrue(isWaitedFor);
    const second = acknowledging(await connected(device));
    const sent = await ledger.send('shop', ['cleo']);
    await untilTrue(() => second.ids.includes(sent));
    await holder.rollbackTransaction();
    await holder.release();
    const later = await readAgain(second, 'cleo');
    expect(second.ids).toEqual([sent, ...later]);
  });

  it('is not sent again when it went to a push service as well, because the acknowledgement was late', async () => {
    const device = await ledger.device('shop', 'dora', { realtime: true });
    await keepSession(device);
    const id = await ledger.send('shop', ['dora']);
    expect(await ledger.states(id)).toMatchObject([{ state: 'pending', vendor: 'connection' }]);
    const first = await connected(device);
    await untilTrue(() => first.ids.length === 1);
    // As the rerouting of late messages does, where the device has a token.
    await query(`UPDATE deliveries SET vendor = 'fcm', reason = NULL, in_inbox = true WHERE message_id = $1`, [id]);
    first.acknowledge(first.published[0]?.messageId);
    await untilTrue(() => isDelivered(id));
    const second = acknowledging(await connected(device));
    const later = await readAgain(second, 'dora');
    expect(second.ids).toEqual(later);
  });
});

describe('a device that connects to another edge while its former connection is still open', () => {
  it('gets what it did not acknowledge again with DUP, under the original packet identifiers', async () => {
    const other = await ledger.startEdge();
    const device = await ledger.device('shop', 'mia');
    await keepSession(device);
    const first = await connected(device);
    const ids = [await ledger.send('shop', ['mia']), await ledger.send('shop', ['mia'])];
    await untilTrue(() => first.ids.length === 2);
    first.acknowledge(first.published[0]?.messageId);
    await untilTrue(() => isDelivered(ids[0] ?? ''));
    const second = await connected(device, other);
    await untilTrue(() => second.ids.length > 0);
    expect(second.published).toMatchObject([{ dup: true, messageId: first.published[1]?.messageId }]);
    expect(second.ids).toEqual(ids.slice(1));
    await other.stop();
  });

  it('has no other connection any more when the new one is accepted', async () => {
    const other = await ledger.startEdge();
    const device = await ledger.device('shop', 'nils');
    await keepSession(device);
    await connected(device);
    await connected(device, other);
    expect(edge.get(SessionRegistry).find('shop', device.deviceId)).toBeUndefined();
    await other.stop();
  });

  it('is accepted although the other edge does not answer', async () => {
    await query(`INSERT INTO edges (edge_id, heartbeat_at) VALUES ('stalled', now())`);
    const device = await ledger.device('shop', 'olga');
    await keepSession(device);
    await present(device, 'stalled');
    await connected(device);
    const id = await ledger.send('shop', ['olga']);
    await untilTrue(() => sockets.at(-1)?.ids.includes(id) === true);
    await query(`DELETE FROM edges WHERE edge_id = 'stalled'`);
  });
});

describe('a device whose former connection ends while its next one is admitted', () => {
  it('gets what it did not acknowledge again with DUP, under the original packet identifiers (3.1.1 §4.4.0-1)', async () => {
    const device = await ledger.device('shop', 'pia');
    await keepSession(device);
    const first = await connected(device);
    const ids = [await ledger.send('shop', ['pia']), await ledger.send('shop', ['pia'])];
    await untilTrue(() => first.ids.length === 2);
    // Its session is read, and it is not present yet.
    const holder = await hold(`installations WHERE installation_id = $1`, [device.installationId]);
    const admitted = connected(device);
    await untilTrue(isWaitedFor);
    first.socket.destroy();
    await untilTrue(() => edge.get(SessionRegistry).find('shop', device.deviceId) === undefined);
    await holder.rollbackTransaction();
    await holder.release();
    const second = await admitted;
    await untilTrue(() => second.ids.length === 2);
    expect(second.ids).toEqual(ids);
    expect(second.published).toMatchObject(first.published.map(({ messageId }) => ({ messageId, dup: true })));
  });
});

describe('more messages than there is room for', () => {
  it('all come once, in the order of acceptance, those that are accepted meanwhile too', async () => {
    const device = await ledger.device('shop', 'dora', { realtime: true });
    await keepSession(device);
    const ids: string[] = [];
    for (let n = 0; n < 450; n++) ids.push(await ledger.send('shop', ['dora'], { isHinted: false }));
    const phone = acknowledging(await connected(device));
    await untilTrue(() => phone.ids.length > 0);
    for (let n = 0; n < 250; n++) ids.push(await ledger.send('shop', ['dora']));
    await untilTrue(() => new Set(phone.ids).size === ids.length);
    const later = await readAgain(phone, 'dora');
    expect(phone.ids).toEqual([...ids, ...later]);
  });

  it('are read once or twice each from the pages that edges hold, one read after the other without a turn of the clock', async () => {
    const device = await ledger.device('shop', 'eve');
    await keepSession(device);
    await present(device, edge.get<string>(EDGE_ID));
    const pages = 2_000;
    const ids = await copyHeld(await ledger.send('shop', ['eve'], { isHinted: false }), pages);
    const requested = jest.spyOn(edge.get(WaitingReader), 'requestAll').mockImplementation(() => undefined);
    const read = jest.spyOn(edge.get(MessageCache), 'find');
    const phone = acknowledging(await connected(device));
    await untilTrue(() => new Set(phone.ids).size === ids.length);
    expect(phone.ids).toEqual(ids);
    const rowsRead = read.mock.calls.reduce((sum, [waiting]) => sum + waiting.length, 0);
    expect(rowsRead).toBeLessThan(4 * pages);
    requested.mockRestore();
    read.mockRestore();
  });
});

describe('an event of QoS 2 without a time', () => {
  const isAway = async (device: TestDevice): Promise<boolean> =>
    (await query(`SELECT 1 FROM presence WHERE id = $1`, [device.deviceId])).length === 0;
  const counted = async (userId: string): Promise<number> => {
    const [user] = await query<{ count: number }>(
      `SELECT (attributes ->> 'buy.count')::int AS count FROM users WHERE user_id = $1`,
      [userId],
    );
    return user?.count ?? 0;
  };
  const leave = async (phone: RawDevice, device: TestDevice): Promise<void> => {
    phone.socket.destroy();
    await untilTrue(() => isAway(device));
  };

  it('counts once when the device sends it again on its next connection, also to another edge', async () => {
    const device = await ledger.device('shop', 'quinn');
    const topic = `app/shop/track/buy/${device.installationId}`;
    const first = await connected(device);
    await first.publish(topic, { value: 1 }, { messageId: 7 });
    await leave(first, device);
    const other = await ledger.startEdge();
    const second = await connected(device, other);
    await second.publish(topic, { value: 1 }, { messageId: 7, dup: true });
    expect(await counted('quinn')).toBe(1);
    await leave(second, device);
    const third = await connected(device);
    await third.release(7);
    await third.publish(topic, { value: 1 }, { messageId: 7 });
    expect(await counted('quinn')).toBe(2);
    await other.stop();
  });

  it('counts once when the device connects while its former connection is still open', async () => {
    const device = await ledger.device('shop', 'rosa');
    const topic = `app/shop/track/buy/${device.installationId}`;
    await keepSession(device);
    const first = await connected(device);
    await first.publish(topic, { value: 1 }, { messageId: 7 });
    const second = await connected(device);
    await second.publish(topic, { value: 1 }, { messageId: 7, dup: true });
    expect(await counted('rosa')).toBe(1);
  });

  it('is not known by its identifier any more after the edge of the next connection was killed', async () => {
    const device = await ledger.device('shop', 'sven');
    const topic = `app/shop/track/buy/${device.installationId}`;
    const first = await connected(device);
    await first.publish(topic, { value: 1 }, { messageId: 7 });
    await leave(first, device);
    await connected(device);
    expect(await query(`SELECT unreleased FROM connection_sessions WHERE id = $1`, [device.deviceId])).toEqual([
      { unreleased: null },
    ]);
  });
});

describe('a message whose acknowledgement PostgreSQL never takes', () => {
  it('comes once in a connection, however often it is read again', async () => {
    const device = await ledger.device('shop', 'ida');
    const phone = acknowledging(await connected(device));
    await phone.subscribe(device.ownTopic);
    await query(`ALTER TABLE deliveries ADD CONSTRAINT refuses CHECK (device_id <> ${device.deviceId}) NOT VALID`);
    const refused = (): number => edge.lines.filter(({ event }) => event === 'acknowledgement.not-recorded').length;
    const first = await ledger.send('shop', ['ida']);
    await untilTrue(() => refused() === 1);
    edge.get(WaitingReader).requestAll();
    const second = await ledger.send('shop', ['ida']);
    await untilTrue(() => phone.ids.includes(second));
    // The read of everything came before, or together with, the message before this one.
    const third = await ledger.send('shop', ['ida']);
    await untilTrue(() => phone.ids.includes(third));
    expect(phone.ids).toEqual([first, second, third]);
    await untilTrue(() => refused() === 3);
    await query(`ALTER TABLE deliveries DROP CONSTRAINT refuses`);
  });
});
