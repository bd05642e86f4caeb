import fc from 'fast-check';
import { generate, type ISubscribePacket } from 'mqtt-packet';
import { costOf, readPacket } from './read-packet';

describe.each([4, 5] as const)('an acknowledgement of a device with protocol version %i', (version) => {
  it('names the packet that it acknowledges', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 65_535 }), (messageId) => {
        const frame = generate({ cmd: 'puback', messageId }, { protocolVersion: version });
        expect(readPacket(frame, version)).toMatchObject({ cmd: 'puback', messageId });
      }),
    );
  });

  it('of packet 0 is none: no packet has that identifier (§2.2.1)', () => {
    expect(() => readPacket(Buffer.of(0x40, 2, 0, 0), version)).toThrow();
  });

  it('with one byte of an identifier is none, also if two bytes say its length', () => {
    expect(() => readPacket(Buffer.of(0x40, 1, 7), version)).toThrow();
    expect(() => readPacket(Buffer.of(0x40, 0x81, 0x00, 7), version)).toThrow();
  });
});

describe('the texts of a packet', () => {
  /** A filter that holds U+FFFD, and one whose bytes are no UTF-8, which a decoder reads as the same text. */
  const valid = Buffer.of(0, 4, 0xef, 0xbf, 0xbd, 0x41, 1);
  const invalid = Buffer.of(0, 2, 0xff, 0x41, 1);
  const subscribe = (...filters: Buffer[]): Buffer => {
    const body = Buffer.concat([Buffer.of(0, 7), ...filters]);
    return Buffer.concat([Buffer.of(0x82, body.length), body]);
  };

  it('may hold U+FFFD, more than once', () => {
    const topics = (readPacket(subscribe(valid, valid), 4) as ISubscribePacket).subscriptions.map(({ topic }) => topic);
    expect(topics).toEqual(['\ufffdA', '\ufffdA']);
  });

  it.each([
    ['alone', subscribe(invalid)],
    ['behind one that reads the same', subscribe(valid, invalid)],
    ['before one that reads the same', subscribe(invalid, valid)],
  ])('must be UTF-8 (3.1.1 §1.5.3-1): %s', (_, frame) => {
    expect(() => readPacket(frame, 4)).toThrow('A text that is not UTF-8');
  });
});

it.each([
  [1, 1],
  [99, 1],
  [200, 3],
  [30_000, 301],
])('a packet with %i filters counts as %i', (filters, cost) => {
  const topics = Array.from({ length: filters }, () => 'x');
  expect(costOf({ cmd: 'unsubscribe', messageId: 1, unsubscriptions: topics })).toBe(cost);
  const subscriptions = topics.map((topic) => ({ topic, qos: 1 as const }));
  expect(costOf({ cmd: 'subscribe', messageId: 1, subscriptions })).toBe(cost);
});
