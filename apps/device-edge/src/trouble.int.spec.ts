import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDataSource } from '@postrider/persistence';
import { METRICS, Secret } from '@postrider/platform';
import { throwAwayCertificate, untilTrue } from '@postrider/testing';
import type { Registry } from 'prom-client';
import type { Session } from './session/session';
import { SessionRegistry } from './session/session-registry';
import { RawDevice } from './testing/raw-device';
import { connectDevice, type TestClient } from './testing/test-client';
import { createTestLedger, type TestDevice, type TestEdge, type TestLedger } from './testing/test-edge';

let ledger: TestLedger;
let edge: TestEdge;
const clients: TestClient[] = [];
const sockets: RawDevice[] = [];

beforeAll(async () => {
  ledger = await createTestLedger();
  await ledger.application('shop');
});
afterAll(() => ledger.close());
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  for (const { socket } of sockets.splice(0)) socket.destroy();
  await edge.stop();
  await ledger.database.query(`DELETE FROM installations`);
});

const subscribed = async (device: TestDevice, address = `mqtt://127.0.0.1:${edge.ports.mqtt}`): Promise<TestClient> => {
  const client = await connectDevice(device, address, { rejectUnauthorized: false });
  clients.push(client);
  await client.subscribe(device.topic('default'), device.ownTopic);
  return client;
};
const raw = async (device: TestDevice, settings = {}, on = edge): Promise<RawDevice> => {
  const connected = await RawDevice.connect(on.ports.mqtt, device, settings);
  expect(connected.returnCode).toBe(0);
  sockets.push(connected.device);
  return connected.device;
};
const allDelivered = (id: string, count: number): Promise<void> =>
  untilTrue(async () => (await ledger.states(id)).filter(({ state }) => state === 'delivered').length === count);

it('an edge closes connections at once that are far more than it may hold, whether or not they show who they are', async () => {
  edge = await ledger.startEdge({ MAX_CONNECTIONS: '10' });
  const open = (): Socket => connect(edge.ports.mqtt, '127.0.0.1').on('error', () => undefined);
  const held = Array.from({ length: 11 }, open);
  await Promise.all(held.map((socket) => once(socket, 'connect')));
  const refused = open().resume();
  await once(refused, 'close');
  expect(held.filter(({ closed }) => closed)).toEqual([]);
  for (const socket of held) socket.destroy();
});

it('an edge takes TLS on its own port, and on that of WebSocket beside plain WebSocket', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-edge-'));
  const { cert, key } = throwAwayCertificate();
  const files = { MQTT_TLS_CERT: join(folder, 'cert.pem'), MQTT_TLS_KEY: join(folder, 'key.pem') };
  writeFileSync(files.MQTT_TLS_CERT, cert);
  writeFileSync(files.MQTT_TLS_KEY, key);
  edge = await ledger.startEdge(files);
  rmSync(folder, { recursive: true });
  const ends = Date.parse(new X509Certificate(cert).validTo) / 1_000;
  expect(await edge.get<Registry>(METRICS).metrics()).toContain(
    `postrider_tls_certificate_end_timestamp_seconds{app="device-edge"} ${ends}`,
  );
  const { tls, ws, mqtt } = edge.ports;
  const addresses = [
    `mqtts://127.0.0.1:${tls}`,
    `wss://127.0.0.1:${ws}/mqtt`,
    `ws://127.0.0.1:${ws}`,
    `mqtt://127.0.0.1:${mqtt}`,
  ];
  for (const address of addresses) {
    const client = await subscribed(await ledger.device('shop', 'ann'), address);
    const id = await ledger.send('shop', ['ann']);
    await untilTrue(() => client.received.some(({ body }) => body.id === id));
  }
});

describe('a message that is cancelled while it waits behind a full window', () => {
  it('does not go out any more', async () => {
    edge = await ledger.startEdge({ CONNECTION_IN_FLIGHT: '1' });
    const device = await ledger.device('shop', 'ann');
    const phone = await raw(device);
    await phone.subscribe(device.ownTopic);
    const [first, cancelled, last] = [
      await ledger.send('shop', ['ann']),
      await ledger.send('shop', ['ann']),
      await ledger.send('shop', ['ann']),
    ];
    const outbox = (): number => edge.get(SessionRegistry).find('shop', device.deviceId)?.outbox.waiting ?? 0;
    await untilTrue(() => outbox() === 2);
    await ledger.database.query(`UPDATE messages SET status = 'cancelled' WHERE id = $1`, [cancelled]);
    await untilTrue(() => outbox() === 1);
    phone.acknowledge(phone.published[0]?.messageId);
    await untilTrue(() => phone.ids.length === 2);
    expect(phone.ids).toEqual([first, last]);
  });
});

describe('what was in flight when a connection ended', () => {
  it('is sent again under its own identifier, here and from another edge (3.1.1 §4.4.0-1)', async () => {
    edge = await ledger.startEdge();
    const device = await ledger.device('shop', 'ann');
    const first = await raw(device);
    await first.subscribe(device.ownTopic);
    const acknowledged = await ledger.send('shop', ['ann']);
    const open = [await ledger.send('shop', ['ann']), await ledger.send('shop', ['ann'])];
    await untilTrue(() => first.ids.length === 3);
    first.acknowledge(first.published[0]?.messageId);
    await allDelivered(acknowledged, 1);
    const packetIds = first.published.slice(1).map(({ messageId }) => messageId);

    // Taken over before it closed.
    const second = await raw(device);
    await untilTrue(() => second.ids.length === 2);
    expect(second.ids).toEqual(open);
    expect(second.published).toMatchObject(packetIds.map((messageId) => ({ messageId, dup: true })));

    const elsewhere = await ledger.startEdge();
    await edge.stop();
    const third = await raw(device, {}, elsewhere);
    const fresh = await ledger.send('shop', ['ann']);
    await untilTrue(() => third.ids.length === 3);
    expect(third.ids).toEqual([...open, fresh]);
    expect(third.published).toMatchObject([
      ...packetIds.map((messageId) => ({ messageId, dup: true })),
      { dup: false },
    ]);
    expect(packetIds).not.toContain(third.published[2]?.messageId);

    // Back at once, whether or not its departure is written by then.
    third.socket.destroy();
    const back = await raw(device, {}, elsewhere);
    await untilTrue(() => back.ids.length === 3);
    expect(back.published).toMatchObject(third.published.map(({ messageId }) => ({ messageId, dup: true })));

    // A session that begins anew does not know them: these are new packets.
    back.socket.destroy();
    await untilTrue(() => elsewhere.get(SessionRegistry).deviceCount === 0);
    const clean = await raw(device, { clean: true }, elsewhere);
    await clean.subscribe(device.ownTopic);
    await untilTrue(() => clean.ids.length === 3);
    expect(clean.published.map(({ dup }) => dup)).toEqual([false, false, false]);
    await elsewhere.stop();
  });
});

describe('a device that stops reading', () => {
  it('holds a bounded part of memory, hurts nobody, and is dropped', async () => {
    edge = await ledger.startEdge({ CONNECTION_BUFFER_BYTES: '65536', CONNECTION_IN_FLIGHT: '100' });
    const [slow, quick] = [await ledger.device('shop', 'ann'), await ledger.device('shop', 'bob')];
    const stuck = await raw(slow, { keepalive: 8 });
    await stuck.subscribe(slow.ownTopic);
    stuck.socket.pause();
    const reading = await subscribed(quick);
    const content = { content: 'x'.repeat(30_000) };
    for (let n = 0; n < 200; n++) await ledger.send('shop', ['ann', 'bob'], { content });
    await reading.until(200);
    const session = edge.get(SessionRegistry).find('shop', slow.deviceId) as Session | undefined;
    expect(session?.['transport'].bufferedBytes ?? 0).toBeLessThanOrEqual(65_536);
    expect(session?.outbox.waiting ?? 0).toBeLessThanOrEqual(100);
    await untilTrue(() => edge.get(SessionRegistry).find('shop', slow.deviceId) === undefined);
    expect(edge.get(SessionRegistry).deviceCount).toBe(1);
    const after = await ledger.send('shop', ['bob']);
    await untilTrue(() => reading.received.some(({ body }) => body.id === after));
  });
});

describe('PostgreSQL', () => {
  it('may go and come back: connections stay, nothing is lost, and nobody is let in meanwhile', async () => {
    edge = await ledger.startEdge();
    const devices: TestDevice[] = [];
    for (let n = 0; n < 20; n++) devices.push(await ledger.device('shop', 'ann'));
    const connected = await Promise.all(devices.map((device) => subscribed(device)));
    const late = await ledger.device('shop', 'bob');
    const server = await createDataSource(new Secret(process.env.POSTRIDER_TEST_PG ?? ''), 1).initialize();
    const [{ name }] = await ledger.database.query(`SELECT current_database() AS name`);
    const id = await ledger.send('shop', ['ann']);
    await server.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`);
    await server.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1`, [name]);
    try {
      // Several times, because the edge's own periodic reads fail meanwhile too.
      for (let tries = 0; tries < 10; tries++)
        expect((await RawDevice.connect(edge.ports.mqtt, late)).returnCode).toBe(3);
    } finally {
      await server.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`);
      await server.destroy();
    }
    await allDelivered(id, 20);
    expect(connected.map(({ client }) => client.connected)).toEqual(devices.map(() => true));
    const next = await ledger.send('shop', ['ann']);
    await allDelivered(next, 20);
    for (const { received } of connected) expect(received.map(({ body }) => body.id)).toEqual([id, next]);
  });
});

describe('personal messages', () => {
  it('that never end fail for their device, and the next arrives', async () => {
    edge = await ledger.startEdge({});
    const device = await ledger.device('shop', 'zed');
    const phone = await raw(device);
    await phone.subscribe(device.ownTopic);
    const endless = await ledger.send('shop', ['zed'], {
      content: { content: '{% for i in (9007199254740992..9007199254740994) %}x{% endfor %}', inApp: true },
      isHinted: false,
    });
    const next = await ledger.send('shop', ['zed'], {
      content: { content: '{% if true %}next{% endif %}' },
      isHinted: false,
    });
    await untilTrue(() => phone.ids.length > 0);
    expect(phone.ids).toEqual([next]);
    const states = (): Promise<{ state: string; error_code: string }[]> =>
      ledger.database.query(`SELECT state, error_code FROM deliveries WHERE message_id = $1`, [endless]);
    await untilTrue(async () => (await states()).length > 0);
    expect(await states()).toEqual([{ state: 'failed', error_code: 'template_failed' }]);
  });

  it('are each device’s own, with the code that its user has on every path, and the same again', async () => {
    edge = await ledger.startEdge({ TRACKER_URL: 'https://go.example' });
    await ledger.database.query(
      `INSERT INTO promo_sets (app_id, set_id, track_id, state, total, remaining, created_at)
       VALUES ('shop', 'a0000000-0000-4000-8000-000000000000', '', 'in_force', 50, 50, now())`,
    );
    await ledger.database.query(
      `INSERT INTO promo_codes (app_id, set_id, number, codes)
       SELECT 'shop', 'a0000000-0000-4000-8000-000000000000', 0, string_agg('CODE-' || n, E'\\n' ORDER BY n)
       FROM generate_series(1, 50) AS n`,
    );
    const users = ['kim', 'lee', 'sam'];
    const devices: TestDevice[] = [];
    for (const user of users) devices.push(await ledger.device('shop', user));
    const phones = await Promise.all(devices.map((device) => raw(device)));
    await Promise.all(phones.map((phone, place) => phone.subscribe(devices[place]?.ownTopic ?? '')));
    await ledger.database.query(
      `UPDATE users SET attributes = jsonb_build_object('name', upper(user_id)) WHERE app_id = 'shop'`,
    );
    const content = {
      content: 'Hi {{ user.name }}: {{ promoCode }}',
      notification: { title: 'T', clickUrl: 'https://shop.example/sale' },
      trackLinks: true,
    };
    const ids: string[] = [];
    for (let n = 0; n < 10; n++) ids.push(await ledger.send('shop', users, { content, isHinted: false }));
    await untilTrue(() => phones.every((phone) => phone.ids.length === ids.length));
    const assigned: { message_id: string; user_id: string; code: string }[] = await ledger.database.query(
      `SELECT message_id, user_id, code FROM promo_assignments WHERE app_id = 'shop'`,
    );
    expect(assigned).toHaveLength(30);
    const bodies = (phone: RawDevice): { id: string; content: string; notification: { clickUrl: string } }[] =>
      phone.published.map(({ payload }) => JSON.parse(payload.toString()) as never);
    phones.forEach((phone, place) => {
      expect(phone.ids).toEqual(ids);
      for (const { id, content: text, notification } of bodies(phone)) {
        const user = users[place] ?? '';
        const code = assigned.find(({ message_id, user_id }) => message_id === id && user_id === user)?.code;
        expect(text).toBe(`Hi ${user.toUpperCase()}: ${code}`);
        expect(notification.clickUrl).toMatch(/^https:\/\/go\.example\//);
      }
    });
    const links = phones.flatMap((phone) => bodies(phone).map(({ notification }) => notification.clickUrl));
    expect(new Set(links).size).toBe(30);
    const [first, again] = [phones[0] as RawDevice, await raw(devices[0] as TestDevice)];
    await untilTrue(() => again.ids.length === ids.length);
    expect(bodies(again).map((body) => body.content)).toEqual(bodies(first).map((body) => body.content));
  });
});
