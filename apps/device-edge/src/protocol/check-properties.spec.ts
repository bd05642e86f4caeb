import fc from 'fast-check';
import { generate, type Packet } from 'mqtt-packet';
import { CLIENT_ID, INSTALLATION, MQTT_5 } from '../testing/test-session';
import { readConnect, readPacket } from './read-packet';
import { PacketRefused, type Refusal } from './reason-codes';

const TOPIC = `app/shop/event/buy/${INSTALLATION}`;
const CONNECT = {
  cmd: 'connect',
  protocolId: 'MQTT',
  ...MQTT_5,
  clientId: CLIENT_ID,
  clean: true,
  keepalive: 60,
} as const;
const WILL = { topic: TOPIC, payload: Buffer.from('{}'), qos: 0, retain: false } as const;

/** A packet of each kind that a client sends, without properties. */
const KINDS = {
  connect: CONNECT,
  will: { ...CONNECT, will: WILL },
  publish: { cmd: 'publish', topic: TOPIC, qos: 1, messageId: 1, payload: '{}' },
  subscribe: { cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: TOPIC, qos: 1 }] },
  unsubscribe: { cmd: 'unsubscribe', messageId: 1, unsubscriptions: [TOPIC] },
  puback: { cmd: 'puback', messageId: 1, reasonCode: 0x10 },
  pubrel: { cmd: 'pubrel', messageId: 1, reasonCode: 0x92 },
  disconnect: { cmd: 'disconnect', reasonCode: 0 },
} as unknown as Record<string, Packet>;
const PLACES: Record<string, number> = {
  connect: 10,
  will: 10 + 1 + 2 + CLIENT_ID.length,
  publish: 2 + TOPIC.length + 2,
  subscribe: 2,
  unsubscribe: 2,
  puback: 3,
  pubrel: 3,
  disconnect: 1,
};

/** The packet with these bytes as its properties. @param length what it says their length is */
function packetWith(kind: string, properties: Buffer, length = properties.length): Buffer {
  const bytes = generate(KINDS[kind] as Packet, MQTT_5);
  const headerBytes = ((bytes[1] as number) & 0x80) === 0 ? 2 : 3;
  const body = bytes.subarray(headerBytes);
  const at = PLACES[kind] as number;
  // Behind the zero that says that there are none, or at the end of a packet that leaves it out.
  const rest = body.subarray(at + 1);
  return withLength(bytes[0] as number, Buffer.concat([body.subarray(0, at), Buffer.of(length), properties, rest]));
}

function withLength(first: number, body: Buffer): Buffer {
  const length = body.length < 128 ? [body.length] : [(body.length & 0x7f) | 0x80, body.length >> 7];
  return Buffer.concat([Buffer.of(first, ...length), body]);
}

function read(frame: Buffer): Packet {
  return (frame[0] as number) >> 4 === 1 ? readConnect(frame) : readPacket(frame, 5);
}

function refusalOf(frame: Buffer): Refusal | null {
  try {
    read(frame);
    return null;
  } catch (error) {
    return error instanceof PacketRefused ? error.refusal : (error as never);
  }
}

describe('the properties of a packet of MQTT 5', () => {
  it.each([
    ['connect', '1700', 'Request Problem Information'],
    ['connect', '210014', 'Receive Maximum'],
    ['connect', '220000', 'Topic Alias Maximum of zero'],
    ['connect', '1100000000', 'Session Expiry Interval of zero'],
    ['connect', '26000161000162', 'User Property'],
    ['connect', '2600016100016226000161000162', 'User Property, twice'],
    ['will', '1800000005', 'Will Delay Interval'],
    ['publish', '0101', 'Payload Format Indicator'],
    ['publish', '020000000a', 'Message Expiry Interval'],
    ['publish', '0300046a736f6e', 'Content Type'],
    ['publish', '080001720900020001', 'Response Topic and Correlation Data'],
    ['subscribe', '0b05', 'Subscription Identifier'],
    ['unsubscribe', '26000161000162', 'User Property'],
    ['puback', '1f00026f6b', 'Reason String'],
    ['pubrel', '1f00026f6b', 'Reason String'],
    ['disconnect', '110000000a', 'Session Expiry Interval'],
  ])('may be, in %s: %s (%s)', (kind, hex) => {
    expect(refusalOf(packetWith(kind, Buffer.from(hex, 'hex')))).toBeNull();
  });

  it.each([
    ['connect', '1702', 'protocol_error', 'a flag is 0 or 1 (§3.1.2.11.7)'],
    ['connect', '1902', 'protocol_error', 'a flag is 0 or 1 (§3.1.2.11.6)'],
    ['publish', '0102', 'protocol_error', 'a flag is 0 or 1 (§3.3.2.3.2)'],
    ['connect', '210000', 'protocol_error', 'a Receive Maximum is not zero (§3.1.2.11.3)'],
    ['connect', '2700000000', 'protocol_error', 'a Maximum Packet Size is not zero (§3.1.2.11.4)'],
    ['subscribe', '0b00', 'protocol_error', 'a Subscription Identifier is not zero (§3.8.2.1.2)'],
    ['connect', '11000000001100000005', 'protocol_error', 'none comes twice, of zero either (§2.2.2.2)'],
    ['connect', '21000021000a', 'protocol_error', 'none comes twice, of zero either (§2.2.2.2)'],
    ['will', '18000000011800000001', 'protocol_error', 'none comes twice in a will (§2.2.2.2)'],
    ['connect', '230001', 'malformed', 'a Topic Alias belongs to a PUBLISH (§2.2.2.2)'],
    ['connect', '1f000178', 'malformed', 'a Reason String belongs to an answer (§2.2.2.2)'],
    ['connect', '1800000001', 'malformed', 'a Will Delay Interval belongs to the will (§2.2.2.2)'],
    ['connect', '130005', 'malformed', 'a Server Keep Alive comes from the server (§2.2.2.2)'],
    ['will', '1100000001', 'malformed', 'a Session Expiry Interval belongs to the CONNECT (§2.2.2.2)'],
    ['publish', '1100000001', 'malformed', 'a Session Expiry Interval belongs to the CONNECT (§2.2.2.2)'],
    ['unsubscribe', '0b05', 'malformed', 'a Subscription Identifier belongs to a SUBSCRIBE (§2.2.2.2)'],
    ['puback', '1100000001', 'malformed', 'a Session Expiry Interval belongs to the CONNECT (§2.2.2.2)'],
    ['publish', '7f01', 'malformed', 'there is no such property (§2.2.2.2)'],
    ['publish', '030001ff', 'malformed', 'texts are UTF-8 (§1.5.4-1)'],
    ['publish', '2600010000016200', 'malformed', 'texts have no U+0000 (§1.5.4-2)'],
  ])('may not be, in %s: %s is %s, because %s', (kind, hex, refusal) => {
    expect(refusalOf(packetWith(kind, Buffer.from(hex, 'hex')))).toBe(refusal);
  });

  it.each(Object.keys(KINDS))('end where their length says, in %s', (kind) => {
    const user = Buffer.from('26000161000162', 'hex');
    for (const length of [1, 2, 5, 6]) expect(refusalOf(packetWith(kind, user, length))).toBe('malformed');
    expect(refusalOf(packetWith(kind, user, 100))).toBe('malformed');
    const data = Buffer.from('0900ff0102', 'hex');
    expect(refusalOf(packetWith(kind, data))).toBe('malformed');
  });

  it('are read as they were written, whatever they are', () => {
    const user = fc.dictionary(fc.constantFrom('a', 'é', '😀'), fc.string({ unit: 'grapheme', maxLength: 9 }), {
      minKeys: 1,
    });
    const four = fc.integer({ min: 0, max: 0xffffffff });
    const two = fc.integer({ min: 1, max: 0xffff });
    const connect = fc.record(
      { sessionExpiryInterval: four, receiveMaximum: two, topicAliasMaximum: two, userProperties: user },
      { requiredKeys: [] },
    );
    const publish = fc.record({
      messageExpiryInterval: four,
      contentType: fc.constantFrom('a', 'é'),
      userProperties: user,
    });
    fc.assert(
      fc.property(connect, publish, (properties, ofPublish) => {
        const will = { ...WILL, properties: ofPublish };
        expect(read(generate({ ...CONNECT, properties, will }, MQTT_5))).toMatchObject({
          clientId: CLIENT_ID,
        });
        expect(read(generate({ ...KINDS.publish, properties: ofPublish } as Packet, MQTT_5))).toMatchObject({
          topic: TOPIC,
        });
      }),
    );
  });
});
