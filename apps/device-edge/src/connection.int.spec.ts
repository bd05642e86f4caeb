import { untilTrue } from '@postrider/testing';
import { PresenceRepository } from '@postrider/persistence';
import { generateAccessToken } from '@postrider/platform';
import type { IClientOptions } from 'mqtt';
import { PresenceWriter } from './presence/presence-writer.service';
import { devicesOnEdge } from './testing/devices-on-edge';
import { connectDevice, type TestClient } from './testing/test-client';
import { RawDevice } from './testing/raw-device';
import type { TestDevice } from './testing/test-edge';

const at = devicesOnEdge(['shop', 'other']);
const { connected, subscribed } = at;

const tcp = (): string => `mqtt://127.0.0.1:${at.edge.ports.mqtt}`;
const ws = (): string => `ws://127.0.0.1:${at.edge.ports.ws}/any/path`;

const isOnline = async (device: TestDevice): Promise<boolean> =>
  (await at.ledger.database.query(`SELECT 1 FROM presence WHERE id = $1`, [device.deviceId])).length > 0;

const V5: IClientOptions = { protocolVersion: 5, properties: { sessionExpiryInterval: 3_600 } };
const VERSIONS: [string, IClientOptions][] = [
  ['MQTT 3.1', { protocolId: 'MQIsdp', protocolVersion: 3 }],
  ['MQTT 3.1.1', { protocolVersion: 4 }],
  ['MQTT 5', V5],
];

describe.each(VERSIONS)('a device with %s', (_, options) => {
  it.each([
    ['TCP', tcp],
    ['WebSocket', ws],
  ])('connects over %s, subscribes, receives, and its delivery is delivered', async (_name, address) => {
    const device = await at.ledger.device('shop', 'ann');
    const client = await connected(device, options, address());
    expect(await client.subscribe(device.topic('default'), device.ownTopic)).toEqual([1, 1]);
    const id = await at.ledger.send('shop', ['ann'], { content: { data: { n: 1 } } });
    const [message] = await client.until(1);
    expect(message).toMatchObject({
      topic: device.topic('default'),
      qos: 1,
      body: { id, content: 'Hello', data: { n: 1 } },
    });
    await untilTrue(async () => (await at.ledger.states(id)).some(({ state }) => state === 'delivered'));
    expect(client.received).toHaveLength(1);
  });

  it('finds its subscriptions again when it comes back without subscribing, and what it missed, in order', async () => {
    const device = await at.ledger.device('shop', 'ann');
    const first = await subscribed(device, options);
    expect(first.sessionPresent).toBe(false);
    await first.close();
    await untilTrue(async () => !(await isOnline(device)));
    const ids = [];
    for (const content of ['one', 'two', 'three'])
      ids.push(await at.ledger.send('shop', ['ann'], { content: { content } }));
    const second = await connected(device, { ...options, ...(options.protocolVersion === 5 ? { clean: false } : {}) });
    expect((await second.until(3)).map(({ body }) => body.id)).toEqual(ids);
    expect(second.sessionPresent).toBe(options.protocolVersion !== 3);
  });
});

describe('a device with MQTT 5 that has kept its session for an hour', () => {
  it('keeps it for ever from the CONNECT on that says so', async () => {
    const device = await at.ledger.device('shop', 'ann');
    const end = async (): Promise<unknown> =>
      (
        await at.ledger.database.query(`SELECT expires_at FROM connection_sessions WHERE id = $1`, [device.deviceId])
      )[0];
    await (await subscribed(device, V5)).close();
    await untilTrue(async () => !(await isOnline(device)));
    expect(await end()).toEqual({ expires_at: expect.any(Date) });
    const forEver = { ...V5, clean: false, properties: { sessionExpiryInterval: 0xffffffff } };
    const second = await connected(device, forEver);
    expect([second.sessionPresent, await end()]).toEqual([true, { expires_at: null }]);
  });
});

describe('a device that connects', () => {
  const refusal = async (device: TestDevice, options: IClientOptions = {}): Promise<number> => {
    const error = await connectDevice(device, tcp(), options).catch((refused: unknown) => refused);
    return (error as { code: number }).code;
  };
  let device: TestDevice;
  beforeEach(async () => {
    device = await at.ledger.device('shop', 'ann');
  });

  it.each([
    ['an unknown token', () => ({ ...device, token: generateAccessToken() }), 4, 0x86],
    ['a token of another application', () => ({ ...device, clientId: `other/ann/${device.installationId}` }), 5, 0x87],
    ['the installation of another user', () => ({ ...device, clientId: `shop/bob/${device.installationId}` }), 5, 0x87],
    [
      'an unknown installation',
      () => ({ ...device, clientId: 'shop/ann/00000000-0000-4000-8000-000000000000' }),
      5,
      0x87,
    ],
    ['a client id that is none', () => ({ ...device, clientId: 'shop-ann' }), 2, 0x85],
    ['no name at all', () => ({ ...device, clientId: '' }), 2, 0x85],
  ])('is not let in with %s', async (_, who, code, code5) => {
    expect(await refusal(who(), { protocolVersion: 4, clean: true })).toBe(code);
    expect(await refusal(who(), { protocolVersion: 5, clean: true })).toBe(code5);
    expect(await isOnline(device)).toBe(false);
  });

  it('is not let in with a password that differs from the name, nor with a token without the right to devices', async () => {
    expect(await refusal(device, { password: 'another' })).toBe(4);
    const reading = await at.ledger.token('shop', ['read']);
    expect(await refusal({ ...device, token: reading })).toBe(5);
  });

  it('is let in for a user whose id holds slashes, and is written in another Unicode form', async () => {
    const odd = await at.ledger.device('shop', 'team/a/Zoé');
    const client = await connected({ ...odd, clientId: `shop/team/a/Zoe\u0301/${odd.installationId}` });
    const own = `app/shop/user/team/a/Zoe\u0301/${odd.installationId}`;
    expect(await client.subscribe(own, 'app/shop/user/team/a/Zoe\u0301/alerts')).toEqual([1, 1]);
    await at.ledger.send('shop', ['team/a/Zoé'], { channel: 'private/alerts' });
    expect((await client.until(1))[0]?.topic).toBe('app/shop/user/team/a/Zoe\u0301/alerts');
  });

  it('is let in for a user whose id has 255 characters, whatever the number of their units', async () => {
    const long = await at.ledger.device('shop', '\u{1f600}'.repeat(255));
    expect((await connected(long)).client.connected).toBe(true);
    const decomposed = await at.ledger.device('shop', '\u00e9'.repeat(255));
    const clientId = decomposed.clientId.normalize('NFD');
    expect((await connected({ ...decomposed, clientId })).client.connected).toBe(true);
  });

  it('loses its connection within seconds when its token is revoked', async () => {
    const token = await at.ledger.token('shop', ['devices']);
    const client = await connected({ ...device, token }, V5);
    const code = new Promise((resolve) => client.client.once('disconnect', ({ reasonCode }) => resolve(reasonCode)));
    await at.ledger.database.query(`UPDATE tokens SET revoked_at = now() WHERE revoked_at IS NULL AND created_at >= (
      SELECT max(created_at) FROM tokens)`);
    expect(await code).toBe(0x87);
    expect(await refusal({ ...device, token })).toBe(4);
  });
});

describe('what a device may subscribe to', () => {
  it.each([4, 5] as const)('is the table of topics and nothing else (protocol version %d)', async (protocolVersion) => {
    const device = await at.ledger.device('shop', 'ann');
    const client = await connected(device, { protocolVersion });
    const refused = protocolVersion === 5 ? 0x87 : 0x80;
    const filters = [
      '#',
      '$SYS/#',
      'app/#',
      'app/shop/user/+/default',
      'app/shop/user/bob/default',
      'app/other/user/public/x',
    ];
    for (const filter of [...filters, 'app/shop/user/public/+', 'app/shop/event/buy/+', 'app/shop/user/public/a b']) {
      expect(await client.subscribe(filter)).toEqual([refused]);
    }
    expect(await client.subscribe('#', device.topic('alerts'))).toEqual([refused, 1]);
  });

  it('makes the device a member of the channel, before the answer comes, until it unsubscribes', async () => {
    const device = await at.ledger.device('shop', 'ann');
    const client = await connected(device);
    await client.subscribe(device.topic('public/sport'), device.topic('alerts'));
    const channels = async (): Promise<string[]> =>
      (await at.ledger.database.query(`SELECT channels FROM installations WHERE id = $1`, [device.deviceId]))[0]
        .channels;
    expect((await channels()).sort()).toEqual(['private/alerts', 'public/sport']);
    const id = await at.ledger.send('shop', 'everyone', { channel: 'public/sport' });
    expect((await client.until(1))[0]).toMatchObject({ topic: 'app/shop/user/public/sport', body: { id } });
    await client.client.unsubscribeAsync(device.topic('public/sport'));
    expect(await channels()).toEqual(['private/alerts']);
  });

  it('is events of others, for a token that may read', async () => {
    const [sender, listener] = [await at.ledger.device('shop', 'ann'), await at.ledger.device('shop', 'bob')];
    const token = await at.ledger.token('shop', ['devices', 'read']);
    const hearing = await connected({ ...listener, token });
    // Events are published with QoS 0, so no more is granted (3.1.1 §3.8.4-6).
    expect(await hearing.subscribe('app/shop/event/buy/+')).toEqual([0]);
    const telling = await connected(sender);
    await telling.client.publishAsync(
      `app/shop/event/buy/${sender.installationId}`,
      JSON.stringify({ data: { value: 3 } }),
      {
        qos: 1,
      },
    );
    const [heard] = await hearing.until(1);
    expect(heard).toMatchObject({ topic: `app/shop/event/buy/${sender.installationId}`, body: { data: { value: 3 } } });
    const [{ attributes }] = await at.ledger.database.query(`SELECT attributes FROM users WHERE user_id = 'ann'`);
    expect(attributes).toMatchObject({ 'buy.count': 1, 'buy.sum': 3 });
  });
});

describe('where a message arrives', () => {
  it.each([
    ['named users', ['ann'], 'default', 'default'],
    ['everybody', 'everyone', 'default', 'public/default'],
  ] as const)('for %s on the default channel is the nearest topic that is subscribed to', async (_, to, __, first) => {
    const device = await at.ledger.device('shop', 'ann');
    const client = await connected(device);
    await client.subscribe(device.ownTopic);
    await at.ledger.send('shop', to as never);
    expect((await client.until(1))[0]?.topic).toBe(device.ownTopic);
    await client.subscribe(device.topic('default'), device.topic('public/default'));
    await at.ledger.send('shop', to as never);
    expect((await client.until(2))[1]?.topic).toBe(device.topic(first));
  });

  it('is nowhere while the device has subscribed to nothing, and there as soon as it does', async () => {
    const device = await at.ledger.device('shop', 'ann');
    const client = await connected(device);
    const id = await at.ledger.send('shop', ['ann']);
    expect(client.received).toEqual([]);
    await client.subscribe(device.ownTopic);
    expect((await client.until(1))[0]?.body.id).toBe(id);
  });

  it('with MQTT 5 says how long it may live, and not for a device that would not take it', async () => {
    const device = await at.ledger.device('shop', 'ann');
    const client = await subscribed(device, {
      ...V5,
      properties: { sessionExpiryInterval: 60, maximumPacketSize: 1_000 },
    });
    const tooLarge = await at.ledger.send('shop', ['ann'], { content: { content: 'x'.repeat(2_000) } });
    await at.ledger.send('shop', ['ann'], { ttlSeconds: 9_000 });
    const [message] = await client.until(1);
    // The test may take less time than lies between these.
    expect(message?.properties.messageExpiryInterval).toBeGreaterThan(8_000);
    expect(message?.properties.messageExpiryInterval).toBeLessThanOrEqual(9_000);
    await untilTrue(async () => (await at.ledger.states(tooLarge)).some(({ state }) => state === 'failed'));
  });
});

describe('live messages', () => {
  it('go out as QoS 0 to who is connected now, count as sent, and are kept for nobody', async () => {
    const [here, gone] = [
      await at.ledger.device('shop', 'ann'),
      await at.ledger.device('shop', 'ann', { realtime: true }),
    ];
    const client = await subscribed(here);
    const id = await at.ledger.send('shop', ['ann'], { content: { live: true } });
    expect((await client.until(1))[0]).toMatchObject({ qos: 0, body: { id, live: true } });
    await untilTrue(async () => (await at.ledger.states(id))[0]?.state === 'sent');
    expect(await at.ledger.states(id)).toHaveLength(1);
    const late = await subscribed(gone);
    await at.ledger.send('shop', ['ann']);
    expect((await late.until(1))[0]?.body.live).toBeUndefined();
  });
});

describe('in-app messages', () => {
  it('wait for the app to open, and end with their time', async () => {
    const device = await at.ledger.device('shop', 'ann', { realtime: true });
    const [kept, over] = [
      await at.ledger.send('shop', ['ann'], { content: { inApp: true } }),
      await at.ledger.send('shop', ['ann'], { content: { inApp: true }, ttlSeconds: 1 }),
    ];
    await at.ledger.database.query(
      `UPDATE messages SET accepted_at = now() - interval '1 hour', expires_at = now() - interval '1 second' WHERE id = $1`,
      [over],
    );
    const client = await subscribed(device);
    expect((await client.until(1)).map(({ body }) => body.id)).toEqual([kept]);
  });

  it('do not come after they were cancelled', async () => {
    const device = await at.ledger.device('shop', 'ann', { realtime: true });
    const cancelled = await at.ledger.send('shop', ['ann']);
    await at.ledger.database.query(`UPDATE messages SET status = 'cancelled' WHERE id = $1`, [cancelled]);
    const kept = await at.ledger.send('shop', ['ann']);
    const client = await subscribed(device);
    expect((await client.until(1)).map(({ body }) => body.id)).toEqual([kept]);
  });
});

describe('a device that has not proved its user', () => {
  const require = (isRequired: boolean): Promise<unknown> =>
    at.ledger.database.query(
      `UPDATE applications SET require_user_hash = $1, user_hash_required_at = CASE WHEN $1 THEN now() END WHERE app_id = 'shop'`,
      [isRequired],
    );
  afterEach(() => require(false));

  it('is let in no more, and its connection ends, when the application begins to require that', async () => {
    const proved = await at.ledger.device('shop', 'ann', { user_proof: 2 });
    const never = await at.ledger.device('shop', 'ann', { user_proof: 0 });
    const kept = await subscribed(proved);
    const ended = await subscribed(never, V5);
    const code = new Promise((resolve) => ended.client.once('disconnect', ({ reasonCode }) => resolve(reasonCode)));
    await require(true);
    await new PresenceRepository(at.ledger.database).closeUnproved('shop');
    expect(await code).toBe(0x87);
    expect([await isOnline(proved), await isOnline(never)]).toEqual([true, false]);
    const refused = await connectDevice(never, tcp(), V5).catch((error: unknown) => error);
    expect((refused as { code: number }).code).toBe(0x87);
    const id = await at.ledger.send('shop', ['ann']);
    expect((await kept.until(1)).map(({ body }) => body.id)).toEqual([id]);
    expect(ended.received).toEqual([]);
    await at.ledger.database.query(`UPDATE installations SET user_proof = 2 WHERE id = $1`, [never.deviceId]);
    await connected(never, V5);
  });

  it('sets no protected attribute by its events', async () => {
    const proved = await at.ledger.device('shop', 'vera', { user_proof: 2 });
    const never = await at.ledger.device('shop', 'vera', { user_proof: 0 });
    await at.ledger.database.query(
      `UPDATE applications SET protected_attributes = '{vip.count}' WHERE app_id = 'shop'`,
    );
    const client = await connected(never, V5);
    const topic = (name: string, { installationId }: TestDevice): string => `app/shop/track/${name}/${installationId}`;
    await expect(client.client.publishAsync(topic('vip', never), '{}', { qos: 1 })).rejects.toMatchObject({
      code: 0x99,
    });
    await client.client.publishAsync(topic('buy', never), '{}', { qos: 1 });
    const mine = await connected(proved, V5);
    await mine.client.publishAsync(topic('vip', proved), '{}', { qos: 1 });
    const [user] = await at.ledger.database.query<{ attributes: object }[]>(
      `SELECT attributes FROM users WHERE app_id = 'shop' AND user_id = 'vera'`,
    );
    expect(user?.attributes).toMatchObject({ 'buy.count': 1, 'vip.count': 1 });
    await at.ledger.database.query(`UPDATE applications SET protected_attributes = '{phone}' WHERE app_id = 'shop'`);
  });
});

describe('an event that a device publishes again', () => {
  it('counts once, also at another edge, and each time without a time', async () => {
    const device = await at.ledger.device('shop', 'zoe');
    const createdAt = Date.now() - 60_000;
    const other = await at.ledger.startEdge();
    const publish = ({ client }: TestClient, payload: object): Promise<unknown> =>
      client.publishAsync(`app/shop/track/buy/${device.installationId}`, JSON.stringify(payload), { qos: 1 });
    const here = await connected(device);
    await publish(here, { value: 3, createdAt });
    await publish(here, { createdAt, value: 3 });
    await here.close();
    const there = await connected(device, {}, `mqtt://127.0.0.1:${other.ports.mqtt}`);
    await publish(there, { data: { value: 3 }, createdAt });
    await publish(there, { value: 3 });
    const [{ attributes }] = await at.ledger.database.query(`SELECT attributes FROM users WHERE user_id = 'zoe'`);
    expect(attributes).toMatchObject({ 'buy.count': 2, 'buy.sum': 6 });
    await other.stop();
  });

  it('is refused for good when its data is nested too deep to be told from others', async () => {
    const device = await at.ledger.device('shop', 'yan');
    const { client } = await connected(device, V5);
    const deep = `{"data":${'['.repeat(20_000)}${']'.repeat(20_000)},"createdAt":1}`;
    const topic = `app/shop/track/buy/${device.installationId}`;
    await expect(client.publishAsync(topic, deep, { qos: 1 })).rejects.toMatchObject({ code: 0x99 });
  });
});

describe('an event that PostgreSQL cannot store, or that JSON would change', () => {
  it.each([
    ['{"data":{"value":"half \\u0000 nul"}}'],
    ['{"data":{"value":"half \\ud800 pair"}}'],
    ['{"data":{"value":1e400}}'],
    ['{"data":{"__proto__":{"value":1}}}'],
  ])('is refused for good: %s', async (payload) => {
    const device = await at.ledger.device('shop', 'xia');
    const { client } = await connected(device, V5);
    const topic = `app/shop/track/buy/${device.installationId}`;
    await expect(client.publishAsync(topic, payload, { qos: 1 })).rejects.toMatchObject({ code: 0x99 });
  });
});

describe('a phone that changes hands', () => {
  it('loses its connection, and nothing of the former owner reaches the next one', async () => {
    const device = await at.ledger.device('shop', 'ann');
    const client = await subscribed(device, V5);
    const code = new Promise((resolve) => client.client.once('disconnect', ({ reasonCode }) => resolve(reasonCode)));
    await at.ledger.database.query(`INSERT INTO users (app_id, user_id) VALUES ('shop', 'bob') ON CONFLICT DO NOTHING`);
    await at.ledger.database.query(`UPDATE installations SET user_id = 'bob', user_since = now() WHERE id = $1`, [
      device.deviceId,
    ]);
    expect(await code).toBe(0x87);
    expect(await isOnline(device)).toBe(false);
    // As though a message had been routed at this very moment.
    const id = await at.ledger.send('shop', ['ann'], { isHinted: false });
    await at.ledger.database.query(
      `INSERT INTO deliveries (app_id, message_id, device_id, state, rank, vendor)
       SELECT app_id, id, $2, 'pending', 0, 'connection' FROM messages WHERE id = $1`,
      [id, device.deviceId],
    );
    await at.ledger.database.query(`UPDATE messages SET accepted_at = now() - interval '1 minute' WHERE id = $1`, [id]);
    const next = { ...device, userId: 'bob', clientId: `shop/bob/${device.installationId}` };
    const his = await connected(next);
    expect(his.sessionPresent).toBe(false);
    await his.subscribe('app/shop/user/bob/default', `app/shop/user/bob/${device.installationId}`);
    const own = await at.ledger.send('shop', ['bob']);
    expect((await his.until(1)).map(({ body }) => body.id)).toEqual([own]);
  });
});

describe('a device that had another owner', () => {
  it('is published nothing that names them, when it was routed here in the moment of the change', async () => {
    const device = await at.ledger.device('shop', 'ann');
    await at.ledger.database.query(`INSERT INTO users (app_id, user_id) VALUES ('shop', 'bob') ON CONFLICT DO NOTHING`);
    await at.ledger.database.query(`UPDATE installations SET user_id = 'bob', user_since = now() WHERE id = $1`, [
      device.deviceId,
    ]);
    const his = await connected({ ...device, userId: 'bob', clientId: `shop/bob/${device.installationId}` });
    await his.subscribe('app/shop/user/bob/default', `app/shop/user/bob/${device.installationId}`);
    // Like a send that read the former owner: accepted after the change by its gateway's clock, on a page or in the
    // inbox.
    const ofAnn = { isHinted: false, ofUsers: ['ann'] };
    const toAnn = await at.ledger.send('shop', ['bob'], ofAnn);
    const live = await at.ledger.send('shop', ['bob'], { ...ofAnn, content: { live: true } });
    const own = await at.ledger.send('shop', ['bob']);
    expect((await his.until(1)).map(({ body }) => body.id)).toEqual([own]);
    await untilTrue(async () =>
      [...(await at.ledger.states(toAnn)), ...(await at.ledger.states(live))].every(({ state }) => state === 'skipped'),
    );
    const next = await at.ledger.send('shop', ['bob']);
    expect((await his.until(2)).map(({ body }) => body.id)).toEqual([own, next]);
  });
});

describe('two connections of one device', () => {
  it('are one: the later takes over, here and on another edge', async () => {
    const device = await at.ledger.device('shop', 'ann');
    const first = await subscribed(device, V5);
    const firstEnd = new Promise((resolve) => first.client.once('disconnect', ({ reasonCode }) => resolve(reasonCode)));
    const second = await subscribed(device, { ...V5, clean: false });
    expect(await firstEnd).toBe(0x8e);
    const secondEnd = new Promise((resolve) =>
      second.client.once('disconnect', ({ reasonCode }) => resolve(reasonCode)),
    );
    const elsewhere = await at.ledger.startEdge();
    const third = await connected(device, { ...V5, clean: false }, `mqtt://127.0.0.1:${elsewhere.ports.mqtt}`);
    expect(await secondEnd).toBe(0x8e);
    expect(third.sessionPresent).toBe(true);
    expect(await isOnline(device)).toBe(true);
    const id = await at.ledger.send('shop', ['ann']);
    expect((await third.until(1))[0]?.body.id).toBe(id);
    await third.close();
    await elsewhere.stop();
  });
});

describe('connections of one device that come at the same moment', () => {
  it('leave one of them, and the device online', async () => {
    for (let storm = 0; storm < 5; storm++) {
      const device = await at.ledger.device('shop', `storm-${storm}`);
      const all = await Promise.all(
        Array.from({ length: 6 }, () => RawDevice.connect(at.edge.ports.mqtt, device, { clean: false })),
      );
      const isOpen = ({ device: { socket } }: (typeof all)[number]): boolean => !socket.closed;
      await untilTrue(() => all.filter(isOpen).length === 1);
      // A device that was disconnected has no presence row any more.
      await at.edge.get(PresenceWriter).allLeft();
      expect(await isOnline(device)).toBe(true);
      const last = all.find(isOpen)?.device;
      await last?.subscribe(device.ownTopic);
      const id = await at.ledger.send('shop', [`storm-${storm}`]);
      await untilTrue(() => last?.ids.includes(id) === true);
      last?.socket.destroy();
    }
  });
});

describe('an edge that stops', () => {
  it('says goodbye, is forgotten at once, and loses no acknowledgement', async () => {
    const stopping = await at.ledger.startEdge();
    const device = await at.ledger.device('shop', 'ann');
    const client = await connected(device, V5, `mqtt://127.0.0.1:${stopping.ports.mqtt}`);
    await client.subscribe(device.ownTopic);
    const code = new Promise((resolve) => client.client.once('disconnect', ({ reasonCode }) => resolve(reasonCode)));
    const id = await at.ledger.send('shop', ['ann']);
    await client.until(1);
    await stopping.stop();
    expect(await code).toBe(0x8b);
    expect(await isOnline(device)).toBe(false);
    expect((await at.ledger.states(id)).map(({ state }) => state)).toEqual(['delivered']);
  });
});
