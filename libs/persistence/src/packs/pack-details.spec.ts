import fc from 'fast-check';
import { decodeDetails, encodeDetails, MalformedPack, type PackedDetail } from './pack-details';

const detail = fc.record({
  sentAt: fc.oneof(fc.integer({ min: 1_700_000_000_000, max: 1_700_000_100_000 }), fc.nat({ max: Date.UTC(9999, 0) })),
  vendorMessageId: fc.option(
    fc.oneof(
      fc.uuid(),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.nat().map((number) => `projects/shop/messages/0:${number}%aB3`),
    ),
  ),
});

describe('packed details', () => {
  it('come back as they were packed', () => {
    fc.assert(
      fc.property(fc.array(detail, { maxLength: 300 }), (details) => {
        expect(decodeDetails(encodeDetails(details), details.length)).toEqual(details);
      }),
    );
  });

  it('are refused when they are cut, grown, for another number, or of another version', () => {
    fc.assert(
      fc.property(fc.array(detail, { minLength: 1, maxLength: 50 }), fc.nat(), (details, at) => {
        const bytes = encodeDetails(details);
        const { length } = details;
        expect(() => decodeDetails(bytes.subarray(0, at % bytes.length), length)).toThrow(MalformedPack);
        expect(() => decodeDetails(bytes, length + 1)).toThrow(MalformedPack);
        expect(() => decodeDetails(Buffer.concat([Buffer.of(2), bytes.subarray(1)]), length)).toThrow(MalformedPack);
      }),
    );
  });

  it('are details or refused, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.array(detail, { minLength: 1, maxLength: 20 }), fc.nat(), fc.nat(255), (details, at, byte) => {
        const bytes = encodeDetails(details);
        bytes[at % bytes.length] = byte;
        const [read, error] = attempt(() => decodeDetails(bytes, details.length));
        if (error !== undefined) expect(error).toBeInstanceOf(MalformedPack);
        else expect(read).toHaveLength(details.length);
      }),
    );
  });

  it('take the room of what differs in them', () => {
    const details: PackedDetail[] = Array.from({ length: 500 }, (_, place) => ({
      sentAt: 1_700_000_000_000 + place,
      vendorMessageId: `projects/shop/messages/0:17000000000${String(place * 7_919).padStart(7, '0')}`,
    }));
    expect(encodeDetails(details).length / details.length).toBeLessThan(8);
  });
});

function attempt<Result>(work: () => Result): [Result | undefined, unknown] {
  try {
    return [work(), undefined];
  } catch (error) {
    return [undefined, error];
  }
}
