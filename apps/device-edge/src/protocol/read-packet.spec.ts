import fc from 'fast-check';
import { generate } from 'mqtt-packet';
import { readPacket } from './read-packet';

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
