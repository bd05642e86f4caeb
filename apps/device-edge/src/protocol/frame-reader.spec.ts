import fc from 'fast-check';
import { generate } from 'mqtt-packet';
import { FrameReader } from './frame-reader';

const MAX_BYTES = 300_000;

/** A packet whose payload has this many bytes. */
function packetOf(payloadBytes: number, filler = 0): Buffer {
  const payload = Buffer.alloc(payloadBytes, filler);
  return generate({ cmd: 'publish', topic: 'a', payload, qos: 0, dup: false, retain: false });
}

/** Reads pieces as a session does. @returns the packets, with what they held when they were read */
function readAll(pieces: readonly Buffer[]): { frames: Buffer[]; asRead: Buffer[] } {
  const reader = new FrameReader(MAX_BYTES);
  const frames: Buffer[] = [];
  const asRead: Buffer[] = [];
  for (const piece of pieces) {
    reader.push(piece);
    for (let frame = reader.next(); frame !== null; frame = reader.next()) {
      frames.push(frame);
      asRead.push(Buffer.from(frame));
    }
  }
  return { frames, asRead };
}

it('the reader of MQTT packets copies each byte of a packet a few times, however small its pieces are', () => {
  const packet = packetOf(5_000);
  let bytes = 0;
  const count = <Block extends Buffer>(block: Block): Block => {
    bytes += block.length;
    return block;
  };
  const { concat, from, allocUnsafeSlow } = Buffer;
  jest.spyOn(Buffer, 'concat').mockImplementation((...given) => count(concat(...given)));
  jest.spyOn(Buffer, 'allocUnsafeSlow').mockImplementation((size) => count(allocUnsafeSlow(size)));
  jest.spyOn(Buffer, 'from').mockImplementation((...given: Parameters<typeof from>) => {
    const block = from.apply(Buffer, given);
    // A view of other memory copies nothing.
    return ArrayBuffer.isView(given[0]) ? count(block) : block;
  });
  const pieces = Array.from(packet, (_, at) => packet.subarray(at, at + 1));
  const { frames } = readAll(pieces);
  expect(frames).toEqual([packet]);
  expect(bytes).toBeLessThan(5 * packet.length);
});

it('the reader of MQTT packets reads the same packets from any pieces, and later ones overwrite none of them', () => {
  const sizes = fc.array(fc.oneof(fc.nat(3), fc.nat(300), fc.nat(5_000)), { minLength: 1, maxLength: 6 });
  const cuts = fc.array(fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 4_000 })), { minLength: 1 });
  fc.assert(
    fc.property(sizes, cuts, (payloads, lengths) => {
      const packets = payloads.map((size, place) => packetOf(size, place));
      const stream = Buffer.concat(packets);
      const pieces: Buffer[] = [];
      for (let at = 0, turn = 0; at < stream.length; turn++) {
        const end = at + (lengths[turn % lengths.length] as number) * (stream.length > 2_000 ? 100 : 1);
        pieces.push(Buffer.from(stream.subarray(at, end)));
        at = end;
      }
      const { frames, asRead } = readAll(pieces);
      expect(Buffer.concat(asRead).equals(stream) && Buffer.concat(frames).equals(stream)).toBe(true);
      expect(frames.map(({ length }) => length)).toEqual(packets.map(({ length }) => length));
    }),
    { numRuns: Number(process.env.PROPERTY_RUNS ?? 50) },
  );
});

it('the reader of MQTT packets keeps no large block for a small rest', () => {
  const reader = new FrameReader(MAX_BYTES);
  for (const piece of [packetOf(100_000), packetOf(50_000)]) {
    reader.push(piece.subarray(0, 10));
    reader.push(Buffer.concat([piece.subarray(10), Buffer.from([0x30])]));
    expect(reader.next()).toEqual(piece);
    expect(reader.next()).toBeNull();
    reader.push(Buffer.from([2, 0, 0]));
    const rest = reader.next() as Buffer;
    expect(rest).toEqual(Buffer.from([0x30, 2, 0, 0]));
    expect(rest.buffer.byteLength).toBeLessThan(10_000);
  }
});
