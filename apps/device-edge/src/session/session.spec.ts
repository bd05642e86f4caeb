import { generate, type IDisconnectPacket, type Packet } from 'mqtt-packet';
import { INSTALLATION, MQTT_5, OWN_TOPIC, TestSession } from '../testing/test-session';

const SUBSCRIBE = { cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: OWN_TOPIC, qos: 1 }] };
const WILL = {
  topic: `app/shop/event/gone/${INSTALLATION}`,
  payload: Buffer.from('{}'),
  qos: 0 as const,
  retain: false,
};

/** An event of QoS 0 in MQTT 5, with these bits in its first byte. */
function eventOfQos0(firstByte: string): Buffer {
  const topic = `app/shop/event/buy/${INSTALLATION}`;
  const packet = generate({ cmd: 'publish', topic, payload: '{}', qos: 0 } as Packet, MQTT_5);
  Buffer.from(firstByte, 'hex').copy(packet);
  return packet;
}

describe('keep-alive', () => {
  it('ends a connection that is silent for one and a half of it, and not before (3.1.1 §3.1.2-24)', async () => {
    const test = await TestSession.connected({ ...MQTT_5, keepalive: 10 });
    test.session.tick(test.nowMs + 15_000);
    expect(test.isEnded).toBe(false);
    test.session.tick(test.nowMs + 15_001);
    expect(test.isEnded).toBe(true);
    expect(test.lastWritten).toMatchObject({ cmd: 'disconnect', reasonCode: 0x8d });
  });

  it('is held up by whatever comes, and off where it is zero', async () => {
    const test = await TestSession.connected({ keepalive: 10 });
    test.nowMs += 14_000;
    await test.send({ cmd: 'pingreq' });
    expect(test.lastWritten).toMatchObject({ cmd: 'pingresp' });
    test.session.tick(test.nowMs + 14_000);
    expect(test.isEnded).toBe(false);
    const off = await TestSession.connected({ keepalive: 0 });
    off.session.tick(off.nowMs + 1e9);
    expect(off.isEnded).toBe(false);
  });
});

describe('a flood', () => {
  it('ends the connection; acknowledgements of what was sent do not count', async () => {
    const test = await TestSession.connected(MQTT_5, { packetsPerSecond: 10 });
    const pings = Buffer.concat(Array.from({ length: 60 }, () => Buffer.from([0xc0, 0])));
    await test.receive(pings);
    expect(test.lastWritten).toMatchObject({ cmd: 'disconnect', reasonCode: 0x96 });
    const busy = await TestSession.subscribed({}, { packetsPerSecond: 10, capacity: 1_000 });
    for (let n = 0; n < 200; n++) {
      busy.offer(busy.delivery(n));
      await busy.send({ cmd: 'puback', messageId: n + 1 });
    }
    expect(busy.isEnded).toBe(false);
  });

  it('of subscriptions is refused, the connection holds (5 §3.9.3)', async () => {
    const test = await TestSession.connected(MQTT_5);
    const subscriptions = Array.from({ length: 7 }, (_, n) => ({
      topic: `app/shop/user/public/c${n}`,
      qos: 1 as const,
    }));
    await test.send({ cmd: 'subscribe', messageId: 1, subscriptions }, 5);
    expect(test.lastWritten).toMatchObject({ cmd: 'suback', granted: [1, 1, 1, 1, 1, 0x97, 0x97] });
  });

  it('of filters in one packet ends the connection before they are looked up', async () => {
    const test = await TestSession.connected(MQTT_5, { packetsPerSecond: 10, maxPacketBytes: 200_000 });
    const unsubscriptions = Array.from({ length: 4_000 }, (_, n) => `app/shop/user/public/c${n}`);
    const said = test.said.length;
    await test.send({ cmd: 'unsubscribe', messageId: 1, unsubscriptions }, 5);
    expect(test.lastWritten).toMatchObject({ cmd: 'disconnect', reasonCode: 0x96 });
    expect(test.said.slice(said).filter((text) => text.includes('c3999'))).toEqual([]);
  });

  it('of bytes in one packet ends the connection before they are held', async () => {
    const test = await TestSession.connected(MQTT_5);
    await test.receive(Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]));
    expect(test.lastWritten).toMatchObject({ cmd: 'disconnect', reasonCode: 0x95 });
  });

  it.each([
    [10_000, 'puback', 0],
    [10_001, 'disconnect', 0x95],
  ])('of bytes counts the whole packet (5 §3.2.2.3.6): after %i comes a %s', async (bytes, cmd, reasonCode) => {
    const test = await TestSession.connected(MQTT_5);
    const publish = { cmd: 'publish', topic: `app/shop/event/e/${INSTALLATION}`, qos: 1, messageId: 1 } as const;
    const overhead = generate({ ...publish, payload: 'x'.repeat(9_000) } as Packet, MQTT_5).length - 9_000;
    const packet = generate({ ...publish, payload: 'x'.repeat(bytes - overhead) } as Packet, MQTT_5);
    expect(packet).toHaveLength(bytes);
    await test.receive(packet);
    expect(test.lastWritten).toMatchObject({ cmd, reasonCode });
  });
});

describe('a malformed packet', () => {
  it.each([
    [{}, 'in words'],
    [{ requestProblemInformation: false }, 'in words'],
    [{ maximumPacketSize: 20 }, 'as a code'],
  ])(
    'of a client with the properties %j ends the connection with the reason %s (5 §3.14.2-3)',
    async (properties, how) => {
      const test = await TestSession.connected({ ...MQTT_5, properties });
      await test.receive(Buffer.from('82020001', 'hex'));
      expect(test.lastWritten).toMatchObject({ cmd: 'disconnect', reasonCode: 0x81 });
      const { properties: { reasonString = null } = {} } = test.lastWritten as IDisconnectPacket;
      expect(reasonString !== null).toBe(how === 'in words');
    },
  );

  it.each([
    ['reserved flags of SUBSCRIBE (3.1.1 §3.8.1-1)', '80070001000001' + '6101', 0x81],
    ['a SUBSCRIBE without a filter (3.1.1 §3.8.3-3)', '82020001', 0x81],
    ['a packet identifier of zero (3.1.1 §2.3.1-1)', '82070000000001' + '6101', 0x81],
    ['both QoS bits (3.1.1 §3.3.1-4)', '3600', 0x81],
    ['DUP in a PUBLISH of QoS 0 (3.1.1 §3.3.1-2)', eventOfQos0('38').toString('hex'), 0x81],
    ['packet type 0 (5 §2.1.2)', '0000', 0x81],
    ['a server’s packet (3.1.1 §2.2.1)', 'd000', 0x82],
    ['a remaining length of five bytes (3.1.1 §2.2.3)', '30ffffffffff', 0x81],
    ['AUTH without a method (5 §4.12)', 'f000', 0x81],
  ])('ends the connection: %s', async (_, hex, reasonCode) => {
    const test = await TestSession.connected(MQTT_5);
    await test.receive(Buffer.from(hex, 'hex'));
    expect(test.isEnded).toBe(true);
    expect(test.lastWritten).toMatchObject({ cmd: 'disconnect', reasonCode });
  });

  it.each([
    ['half of a surrogate pair', 'eda080'],
    ['a character in more bytes than it takes', 'c0af'],
    ['the beginning of a character', 'e282'],
  ])('ends the connection: a topic with %s, which is not UTF-8 (3.1.1 §1.5.3-1)', async (_, hex) => {
    const test = await TestSession.connected(MQTT_5);
    const event = { cmd: 'publish', qos: 1, messageId: 1, payload: '{}' } as const;
    await test.send({ ...event, topic: `app/shop/event/buy\ufffd/${INSTALLATION}` } as Packet, 5);
    expect(test.said).toContain('reported buy\ufffd');
    const packet = generate(
      { ...event, topic: `app/shop/event/${'#'.repeat(hex.length / 2)}/${INSTALLATION}` } as Packet,
      MQTT_5,
    );
    Buffer.from(hex, 'hex').copy(packet, packet.indexOf('#'));
    await test.receive(packet);
    expect(test.lastWritten).toMatchObject({ cmd: 'disconnect', reasonCode: 0x81 });
    expect(test.said.filter((text) => text.startsWith('reported'))).toHaveLength(1);
  });

  it.each([
    ['DISCONNECT', { cmd: 'disconnect', reasonCode: 0, properties: { sessionExpiryInterval: twice(10, 20) } }],
    ['SUBSCRIBE', { ...SUBSCRIBE, properties: { subscriptionIdentifier: twice(1, 2) } }],
  ])('ends the connection: a property that comes twice in a %s (5 §2.2.2.2)', async (_, packet) => {
    const test = await TestSession.connected({ ...MQTT_5, properties: { sessionExpiryInterval: 60 } });
    await test.send(packet as Packet, 5);
    expect(test.lastWritten).toMatchObject({ cmd: 'disconnect', reasonCode: 0x82 });
    expect(test.ends).toMatchObject([{ cause: 'protocol_error', left: { sessionEndsInMs: 60_000 } }]);
  });

  it.each([
    ['it', { properties: { sessionExpiryInterval: twice(10, 20) } }],
    ['its will', { will: { ...WILL, properties: { willDelayInterval: twice(10, 20) } } }],
  ])('is a CONNECT if a property comes twice in %s (5 §2.2.2.2)', async (_, asked) => {
    const test = await TestSession.connected({ ...MQTT_5, ...asked });
    expect(test.isEnded).toBe(true);
    expect(test.said).toEqual([]);
  });

  it('is none if it has several user properties of one name (5 §3.1.2.11.8)', async () => {
    const properties = { userProperties: { name: ['one', 'other'] } };
    const test = await TestSession.connected({ ...MQTT_5, properties });
    expect(test.said).toContain('opened');
  });
});

/** Values of one property that a client repeats. */
function twice(one: number, other: number): number {
  return [one, other] as unknown as number;
}
