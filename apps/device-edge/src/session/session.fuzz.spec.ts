import fc from 'fast-check';
import { generate, type Packet } from 'mqtt-packet';
import { CLIENT_ID, INSTALLATION, OWN_TOPIC, settled, TestSession } from '../testing/test-session';

const PACKETS: Packet[] = [
  {
    cmd: 'subscribe',
    messageId: 1,
    subscriptions: [
      { topic: OWN_TOPIC, qos: 1 },
      { topic: '#', qos: 2 },
    ],
  },
  { cmd: 'unsubscribe', messageId: 2, unsubscriptions: [OWN_TOPIC, 'x'] },
  {
    cmd: 'publish',
    topic: `app/shop/event/buy/${INSTALLATION}`,
    payload: '{"data":{"value":1}}',
    qos: 1,
    messageId: 3,
    dup: false,
    retain: false,
  },
  { cmd: 'puback', messageId: 1 },
  { cmd: 'pubrel', messageId: 9 },
  { cmd: 'pingreq' },
  { cmd: 'disconnect' },
];

const version = fc.constantFrom(3 as const, 4 as const, 5 as const);
const piece = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  fc
    .constantFrom(...PACKETS)
    .chain((packet) => version.map((protocolVersion) => generate(packet, { protocolVersion }))),
  // A packet with some bytes changed, or a part of one.
  fc
    .tuple(fc.constantFrom(...PACKETS), version, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }), fc.nat())
    .map(([packet, protocolVersion, changes, cut]) => {
      const bytes = Buffer.from(generate(packet, { protocolVersion }));
      for (const [place, byte] of changes) bytes[place % bytes.length] = byte;
      return bytes.subarray(0, cut % 3 === 0 ? cut % (bytes.length + 1) : bytes.length);
    }),
);

describe('whatever a device sends', () => {
  it('the session goes on or closes, and never throws', async () => {
    await fc.assert(
      fc.asyncProperty(
        version,
        fc.boolean(),
        fc.array(piece, { maxLength: 12 }),
        async (protocolVersion, knocks, pieces) => {
          const test = new TestSession();
          if (knocks) await test.connect({ protocolVersion });
          const begun = test.ends.length;
          test.offer(test.delivery(1));
          for (const bytes of pieces) await test.receive(bytes);
          test.session.gone();
          await settled();
          // Every admitted device leaves exactly once.
          expect(test.ends.length - begun).toBe(knocks ? 1 : test.ends.length);
          expect(test.session.isClosed).toBe(true);
        },
      ),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 300) },
    );
  });

  it('means the same in whatever pieces it comes', async () => {
    const whole = Buffer.concat(PACKETS.slice(0, 6).map((packet) => generate(packet, { protocolVersion: 4 })));
    const alone = new TestSession();
    await alone.connect();
    await alone.receive(whole);
    await settled();
    for (let cut = 0; cut <= whole.length; cut++) {
      const test = new TestSession();
      await test.connect();
      await test.receive(whole.subarray(0, cut));
      await test.receive(whole.subarray(cut));
      await settled();
      expect(test.said).toEqual(alone.said);
      expect(test.written).toEqual(alone.written);
    }
  });

  it('may end at every byte of a CONNECT, and whoever was let in then leaves', async () => {
    const connect = generate({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clientId: CLIENT_ID,
      clean: false,
      username: 't',
      password: Buffer.from('t'),
    });
    for (let cut = 0; cut <= connect.length; cut++) {
      const test = new TestSession();
      const received = test.receive(connect.subarray(0, cut));
      test.session.gone();
      await received;
      await settled();
      expect(test.ends).toHaveLength(cut === connect.length ? 1 : 0);
    }
  });
});
